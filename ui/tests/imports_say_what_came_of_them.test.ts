import { describe, expect, it, vi } from 'vitest';
import { emptyWorld } from '../src/platform/scripted/world';
import { button, one, open, press, seen, settle, text, world } from './open';

/** A pace at which a job stays where it is until the test ends it, in milliseconds. */
const NEVER = 1_000_000;

describe('import', () => {
  it('by dialog: progress, then what was added, already held and refused, and why', async () => {
    const scripted = await open('', world({ steps: 2, pace: NEVER }));
    button('Import').click();
    await settle();
    expect(text(one('.dock'))).toMatch(/Importing Reading recording-\d\.sse Cancel .*of 4\.8 MB · \d of 2 files/);
    expect(scripted.calls).toContainEqual({
      command: 'import_paths',
      request: { paths: ['/home/lena/refund.sse'], via: 'dialog' },
    });
    scripted.finish();
    await seen('2 recordings added');
    const summary = text(one('dialog'));
    expect(summary).toContain('4 files read: 2 added, 1 already held, 1 refused.');
    expect(summary).toContain('312 events · 2 runs · 7 messages · 3 citations in 2 citation events');
    expect(summary).toContain('Left out on purpose: 12 headers and 3 cookies of 4 entries');
    expect(summary).toContain('logo.png Refused');
    expect(summary).toContain('This is no recording: a PNG image.');
    expect(summary.indexOf('logo.png')).toBeLessThan(summary.indexOf('refund.sse'));
    button('Open the conversation').click();
    await settle();
    expect(location.hash).toBe('#/conversations/c1');
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('by dropping files anywhere', async () => {
    const scripted = await open();
    scripted.drop({ kind: 'over' });
    await seen('Drop to import');
    scripted.drop({ kind: 'drop', paths: ['/a.sse', '/folder'] });
    await settle();
    expect(text()).not.toContain('Drop to import');
    expect(scripted.calls).toContainEqual({
      command: 'import_paths',
      request: { paths: ['/a.sse', '/folder'], via: 'drop' },
    });
  });

  it('by paste: shown first, then taken as it is', async () => {
    const scripted = await open();
    const pasted = 'data: {"type":"RUN_STARTED"}\n\ndata: {"type":"RUN_FINISHED"}\n';
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => pasted } });
    document.body.dispatchEvent(event);
    await settle();
    expect(one<HTMLTextAreaElement>('dialog textarea').value).toBe(pasted);
    button('Import', one('dialog')).click();
    await settle();
    expect(scripted.calls).toContainEqual({ command: 'import_text', request: { text: pasted } });
  });

  it('by Ctrl+V where the browser gives no paste event: a field to paste into opens', async () => {
    await open();
    await press('Ctrl+v');
    await vi.waitFor(() => one('dialog textarea'), { timeout: 20_000 });
    expect(one('dialog textarea')).toBeTruthy();
    expect((button('Import', one('dialog')) as HTMLButtonElement).disabled).toBe(true);
  });

  it('can be stopped, and says that it was', async () => {
    const scripted = await open('', world({ steps: 50, pace: NEVER }));
    button('Import').click();
    await settle();
    button('Cancel').click();
    await settle();
    expect(scripted.calls.map(({ command }) => command)).toContain('cancel_job');
    await seen('The import was stopped.');
    button('Put away').click();
    await settle();
    expect(text(one('.dock'))).toBe('');
  });

  it('that cannot start says why', async () => {
    const failure = { kind: 'busy' as const, message: 'Process 4121 holds the archive.', hint: 'Close it.' };
    await open('', world({ failures: { import_paths: failure } }));
    button('Import').click();
    await settle();
    await seen('Process 4121 holds the archive. Close it.');
  });

  it('is not offered where the archive cannot be written', async () => {
    const held = world();
    held.status = {
      ...held.status,
      access: 'read-only',
      failure: { kind: 'busy', message: 'Held by another.', hint: null },
    };
    const scripted = await open('', held);
    await seen('Read only. Held by another.');
    expect((button('Import') as HTMLButtonElement).disabled).toBe(true);
    scripted.drop({ kind: 'over' });
    await seen('This archive takes no imports');
  });
});

describe('the first start', () => {
  it('offers the sample, import and dropping; the sample leads to conversations and back', async () => {
    await open('', { ...emptyWorld(), pace: 1 });
    await seen('Or drop files or folders anywhere in this window');
    expect(button('Import files…')).toBeTruthy();
    button('Open the sample archive').click();
    await seen('Sample archive. Invented conversations');
    await seen('Deposit for the cargo bike');
    button('Back to your archive').click();
    await seen('Or drop files or folders anywhere');
  });
});
