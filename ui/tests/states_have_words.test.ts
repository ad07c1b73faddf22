import { describe, expect, it } from 'vitest';
import { button, one, open, seen, settle, text, world } from './open';

const disk = { kind: 'storage' as const, message: 'The disk failed.', hint: 'Check the disk.' };

describe('loading, failing and empty have words in every view', () => {
  it('conversations', async () => {
    const loading = await open('', world({ silent: ['list_conversations'] }));
    await seen('Loading conversations');
    expect(loading.calls.length).toBeGreaterThan(0);
  });
  it('conversations that cannot be read, until they can', async () => {
    const scripted = await open('', world({ failures: { list_conversations: disk } }));
    await seen('The disk failed. Check the disk.');
    scripted.world.failures = {};
    button('Try again').click();
    await seen('Deposit for the cargo bike');
  });
  it('a filter that nothing matches', async () => {
    await open();
    const field = one<HTMLInputElement>('input[type="search"]');
    field.value = 'no such words';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await seen('No conversation matches these filters.');
    button('Clear filters').click();
    await seen('Deposit for the cargo bike');
  });
  it('a transcript', async () => {
    await open('#/conversations/c1', world({ silent: ['transcript', 'conversation'] }));
    await seen('Loading the transcript');
  });
  it('a transcript that cannot be read', async () => {
    await open('#/conversations/c1', world({ failures: { transcript: disk } }));
    await seen('The disk failed.');
  });
  it('a conversation that is not there', async () => {
    await open('#/conversations/gone');
    await seen('This conversation is not in the archive.');
  });
  it('sources that cannot be read', async () => {
    const scripted = await open('#/conversations/c1', world({ failures: { answer_sources: disk } }));
    await seen('The disk failed.');
    scripted.world.failures = {};
    button('Try again', one('aside.panel')).click();
    await seen('Transfer fee');
  });
  it('findings: loading', async () => {
    await open('#/findings', world({ silent: ['list_findings'] }));
    await seen('Loading findings');
  });
  it('findings: none', async () => {
    await open('#/findings', world({ findings: [] }));
    await seen('No received event breaks a rule that Recite knows.');
  });
  it('an archive that cannot be opened names itself and stays as it is', async () => {
    const damaged = world();
    damaged.status = {
      ...damaged.status,
      access: 'none',
      failure: { ...disk, kind: 'damaged', message: 'Page 41 is damaged.' },
    };
    await open('', damaged);
    await seen('Page 41 is damaged.');
    expect(text()).toContain('archive.sqlite');
    expect(text()).toContain('Recite leaves the file as it is.');
  });
});

describe('a transcript shows what happened', () => {
  it('runs with their endings, what was not recorded, what is folded', async () => {
    await open('#/conversations/c1');
    await seen('Run 1 · finished');
    await seen('Run 2 · interrupted, waiting for the application');
    expect(text()).not.toContain('The question is about returns and fees. The handbook');
    button(/^Reasoning/).click();
    await seen('The question is about returns and fees. The handbook and the tariffs both matter.');
    button(/^Tool call/).click();
    await seen('"query":"return at another station"');
  });
  it('an end that is missing and a question that is missing', async () => {
    await open('#/conversations/c3');
    await seen('Run 1 · ended in an error: upstream timed out');
    await seen('The end of this message was not recorded.');
    document.body.innerHTML = '';
    await open('#/conversations/c5');
    await seen('The question of this run is not in the recording.');
  });
  it('other ids of a message, and by what they were joined', async () => {
    await open('#/conversations/c1');
    await seen('Transfer fee');
    button('Details', one('[data-message="a1"]')).click();
    await seen('lc_run-91c joined by equal text');
  });
});

describe('records and findings are shown whole', () => {
  it('a record field by field and as received', async () => {
    await open('#/conversations/c1');
    await seen('Transfer fee');
    button('Record', one('[data-source="0"]')).click();
    await seen('package.signers[0]');
    expect(text(one('dialog'))).toContain('newer than this app knows');
    one<HTMLInputElement>('dialog input[value="raw"]').click();
    await seen('"attestedReviews": []');
  });
  it('findings by code with counts, and the raw event on demand', async () => {
    const scripted = await open('#/findings');
    await seen('240 findings of 3 codes');
    button(/^warning: moca\.order/).click();
    await settle();
    expect(location.hash).toBe('#/findings?code=moca.order');
    expect(text(one('nav[aria-label="Codes"]'))).toContain('240');
    button('Raw event').click();
    await seen('"name":"moca.citations"');
    expect(scripted.calls.filter(({ command }) => command === 'finding_raw').length).toBe(1);
  });
});

describe('links ask first', () => {
  it('the host is shown in ASCII, and only a yes opens it', async () => {
    const scripted = await open('#/conversations/c1');
    await seen('Transfer fee');
    one('a[data-url]').click();
    await seen('It opens in your browser.');
    expect(text(one('dialog'))).toContain('harbour.example');
    button('Do not open').click();
    await settle();
    expect(scripted.opened).toEqual([]);
    one('a[data-url]').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    await settle();
    button('Open in the browser').click();
    await settle();
    expect(scripted.opened).toEqual(['https://harbour.example/stations']);
  });
  it('a link that is refused cannot be opened', async () => {
    const refused = { kind: 'bad-input' as const, message: 'Only http and https open.', hint: null };
    await open('#/conversations/c1', world({ failures: { inspect_link: refused } }));
    await seen('Transfer fee');
    one('a[data-url]').click();
    await seen('Only http and https open.');
    expect(() => button('Open in the browser')).toThrow();
  });
});

describe('settings take hold at once', () => {
  it('theme and times', async () => {
    const scripted = await open('#/settings');
    await seen('archive.sqlite');
    one<HTMLInputElement>('input[value="dark"]').click();
    await settle();
    expect(document.documentElement.dataset['theme']).toBe('dark');
    one<HTMLInputElement>('input[value="utc"]').click();
    await settle();
    expect(scripted.world.settings).toEqual({ theme: 'dark', timeFormat: 'utc' });
    await seen(/\d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d UTC/);
  });
  it('and are put back when they cannot be kept', async () => {
    await open('#/settings', world({ failures: { set_settings: disk } }));
    await seen('archive.sqlite');
    one<HTMLInputElement>('input[value="dark"]').click();
    await seen('The disk failed.');
    expect(document.documentElement.dataset['theme']).toBeUndefined();
  });
  it('verify says whether the archive is sound, and what is damaged', async () => {
    const scripted = await open('#/settings');
    await seen('archive.sqlite');
    button('Verify').click();
    await seen('The archive is sound. 14 recordings, 61 segments and 48 MB were read.');
    scripted.world.report = { ...scripted.world.report, sound: false, damage: ['Segment 9 of refund.sse'], more: 3 };
    button('Verify').click();
    await seen('The archive is damaged.');
    await seen('Segment 9 of refund.sse');
    await seen('and 3 more lines');
  });
});

it('an export goes where the user says, and says so', async () => {
  const scripted = await open('#/conversations/c1');
  await seen('Export');
  button(/^Markdown/).click();
  await seen('Exported to out.html (48 kB).');
  const request = { conversation: 'c1', format: 'markdown', path: '/home/lena/out.html' };
  expect(scripted.calls).toContainEqual({ command: 'export', request });
});
