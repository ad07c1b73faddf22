import type { AnswerSources } from '../../gen/AnswerSources';
import type { RecordDetail } from '../../gen/RecordDetail';
import type { RunRow } from '../../gen/RunRow';
import type { SourceCard } from '../../gen/SourceCard';
import type { SourceStrip } from '../../gen/SourceStrip';
import type { SourcesBrief } from '../../gen/SourcesBrief';
import type { Standing } from '../../gen/Standing';
import type { StripPart } from '../../gen/StripPart';
import {
  byDates,
  contradicting,
  declared,
  flag,
  invalid,
  partsOf,
  read,
  signed,
  statedBy,
  toneOf,
  untimed,
} from './standings';
import { conversation, message, row, unsourced, type ScriptedConversation, type World } from './world';

/** A marker as `render` draws it. */
export function cite(citation: number, place: number, text = `[${citation + 1}]`): string {
  return `<button type="button" class="cite" data-citation="${citation}" data-place="${place}">${text}</button>`;
}

/** A run; what is not given is unremarkable. */
export function run(number: number, over: Partial<RunRow> = {}): RunRow {
  return {
    id: `run-${number}`,
    number,
    runId: `run_0${number}`,
    parent: null,
    ending: 'finished',
    endingText: 'finished',
    startedAt: null,
    questionRecorded: true,
    ...over,
  };
}

/** A source; what is not given is unremarkable. */
export function card(index: number, title: string, standing: Standing, over: Partial<SourceCard> = {}): SourceCard {
  return {
    index,
    record: `record-${index}`,
    marker: `[${index + 1}]`,
    title,
    nodeType: 'Policy',
    nodeRef: `https://harbour.example/packages/handbook@3.2.0#returns.md`,
    refRebuilt: false,
    package: 'Harbour Bikes handbook 3.2.0',
    packageId: 'https://harbour.example/packages/handbook',
    path: 'returns.md',
    locale: null,
    recordSha256: '5f2b9c1d0e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c',
    textHtml: null,
    standing,
    places: [{ place: index, excerpt: 'A bike may be returned at any staffed station within opening hours.' }],
    otherAnswers: 0,
    repeats: null,
    ...over,
  };
}

/** The sources of an answer; what is not given is unremarkable. */
export function answer(id: string, items: SourceCard[], over: Partial<AnswerSources> = {}): AnswerSources {
  return {
    message: id,
    state: 'applied',
    sentence: '',
    computedAt: null,
    computedAtNote: null,
    heldSince: new Date().toISOString(),
    heldSinceKind: 'received',
    items,
    replacedEvents: 0,
    others: [],
    findings: [],
    ...over,
  };
}

/** The archive of an invented bicycle-rental firm's support desk, as seen at `now` (milliseconds). */
export function harbour(now: number, world: World): World {
  const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  const asked = ago(192);
  const stated = offsetText(asked);
  const conversations: ScriptedConversation[] = [];
  const sources = world.sources;
  const add = (each: ScriptedConversation) => conversations.push(each);

  const then = statedBy(stated);
  const dates = byDates(new Date(now).toISOString());
  const returns = read(then, {
    reviews: [
      flag(
        then,
        'accurate',
        'good',
        'Attested review: accurate',
        'human:m.lindqvist, 14 Aug 2026 · signer Harbour reviewers',
      ),
    ],
    forecast: [
      flag(dates, 'goesStale', 'neutral', 'Goes stale on 14 Feb 2027', 'By its own dates; no check was made.'),
    ],
  });
  const fee = read(then, {
    integrity: signed(then, 'Harbour Bikes publisher', 'sha256:02be77f1…90aa'),
    currency: [
      flag(then, 'stale', 'caution', 'Stale since 1 Nov 2026', 'Already stale when the answer was given.'),
      flag(then, 'inForce', 'neutral', 'In force'),
    ],
    declared: [declared(then, 'human:t.oja')],
  });
  const late = read(then, {
    integrity: signed(then, 'Harbour Bikes publisher', 'sha256:02be77f1…90aa'),
    currency: [
      flag(then, 'superseded', 'bad', 'Superseded by tariffs@2.0.0', null),
      flag(then, 'notStale', 'neutral', 'Not stale'),
    ],
    reviews: [
      flag(
        then,
        'needsChange',
        'caution',
        'Attested review: needs change',
        'human:m.lindqvist, 2 Oct 2026 · signer Harbour reviewers',
      ),
    ],
    forecast: [
      flag(
        dates,
        'noLongerInForce',
        'bad',
        'No longer in force since 1 Oct 2026',
        'Said to be in force then; its own date has passed since.',
      ),
    ],
  });
  const standings = [returns, fee, late];
  const basis = `as of ${stated} · by the service’s Reader`;
  sources.set(
    'a1',
    answer(
      'a1',
      [
        card(0, 'Returning a bike', returns, {
          otherAnswers: 213,
          places: [
            { place: 0, excerpt: 'Yes. A bike may be returned at any staffed station within opening hours [1].' },
            { place: 3, excerpt: 'Opening hours are posted at each station [1].' },
          ],
        }),
        card(1, 'Transfer fee', fee, {
          nodeType: 'Tariff',
          package: 'Harbour Bikes tariffs 1.9.0',
          path: 'transfer-fee.md',
          textHtml:
            '<p>Returning a bike at another staffed station costs a transfer fee of <strong>6 €</strong>. Members pay nothing.</p>',
          places: [
            { place: 1, excerpt: 'Returning it elsewhere than where you rented it costs a transfer fee of 6 € [2].' },
          ],
          otherAnswers: 5,
        }),
        card(2, 'Late fee, summer', late, {
          nodeType: 'Tariff',
          package: 'Harbour Bikes tariffs 1.9.0',
          path: 'summer/late-fee.md',
          locale: 'en',
          places: [{ place: 2, excerpt: 'the late fee of the summer tariff applies [3].' }],
        }),
      ],
      {
        computedAt: { text: stated, instant: asked, note: null },
        heldSince: asked,
        others: [
          {
            title: 'Opening hours of Pier 4',
            url: 'https://harbour.example/pier-4',
            host: 'harbour.example',
            origin: 'from state',
          },
        ],
        findings: [world.findings[0]].filter((each) => each !== undefined),
      },
    ),
  );
  sources.set(
    'a2',
    answer('a2', [], {
      state: 'empty',
      sentence: 'No sources: the service sent an empty list.',
      computedAt: { text: stated, instant: asked, note: null },
    }),
  );
  add(
    conversation(
      row('c1', 'Can I return a rented bike at another station, and what does it cost?', {
        runs: 2,
        answers: 2,
        citations: 3,
        firstAt: asked,
        lastAt: ago(189),
        strip: strip(standings),
        findings: 1,
      }),
      [
        {
          message: message(
            'u1',
            'user',
            '<p>Can I return a rented bike at another station, and what does it cost?</p>',
            { at: asked },
          ),
          runsBefore: [run(1, { startedAt: asked })],
        },
        {
          message: message(
            's1',
            'reasoning',
            '<p>The question is about returns and fees. The handbook and the tariffs both matter.</p>',
            { summary: 'The question is about returns and fees.' },
          ),
        },
        {
          message: message('t0', 'assistant', '', {
            toolCalls: [
              {
                toolCallId: 'call_7Qx2',
                name: 'search_handbook',
                arguments: '{"query":"return at another station","limit":4}',
                answered: true,
              },
            ],
          }),
        },
        {
          message: message(
            't1',
            'tool',
            '<pre><code>{"results":["returns.md","transfer-fee.md","summer/late-fee.md","stations.md"]}</code></pre>',
            { summary: '4 results' },
          ),
        },
        {
          message: message(
            'a1',
            'assistant',
            `<p>Yes. A bike may be returned at any staffed station within opening hours ${cite(0, 0)}. Returning it elsewhere than where you rented it costs a transfer fee of 6&nbsp;€ ${cite(1, 1)}.</p><p>If you return it after closing time, the rental runs on until the next morning and the late fee of the summer tariff applies ${cite(2, 2)}.</p><ul><li>Opening hours are posted at each station ${cite(0, 3)}.</li><li>A map of all stations is on the <a class="link" role="link" tabindex="0" data-url="https://harbour.example/stations" data-host="harbour.example">station page</a>.</li></ul>`,
            { at: asked, aliases: [{ messageId: 'lc_run-91c', by: 'equal text' }], sources: brief(standings, basis) },
          ),
        },
        {
          message: message('u2', 'user', '<p>Please book it to be returned at Pier 4 tomorrow.</p>', { at: ago(189) }),
          runsBefore: [
            run(2, {
              startedAt: ago(189),
              ending: 'interrupted',
              endingText: 'interrupted, waiting for the application',
            }),
          ],
        },
        {
          message: message('a2', 'assistant', '<p>I can prepare the booking for Pier 4. Shall I go on?</p>', {
            sources: {
              state: 'empty',
              sentence: 'No sources: the service sent an empty list',
              basis: null,
              tones: [],
              parts: [],
              repeats: 0,
            },
          }),
        },
      ],
      { notes: ['The ids of 1 message were changed by a snapshot; both are kept.'] },
      [
        {
          state: 'unknown-message',
          sentence: 'The event names a message that this conversation does not have.',
          messageId: 'msg-gone-41',
          computedAt: { text: stated, instant: asked, note: null },
          citations: 2,
          raw:
            '{"version":1,"messageId":"msg-gone-41","computedAt":"' +
            stated +
            '","citations":[{"marker":"[1]","record":{"package":{"id":"https://harbour.example/packages/handbook"}}}]}',
        },
        {
          state: 'unknown-version',
          sentence: 'The event is of version 2, which Recite does not know.',
          messageId: 'msg-a2',
          computedAt: null,
          citations: 1,
          raw: '{"version":2,"messageId":"msg-a2","sources":[{"uri":"moca:handbook#returns"}]}',
        },
      ],
    ),
  );

  const deposit = [
    read(then),
    read(then, {
      integrity: flag(
        then,
        'notSigned',
        'neutral',
        'Not signed',
        'Package digest sha256:7e10bb42…0c1f, as stated, not compared.',
      ),
    }),
  ];
  sources.set(
    'd1',
    answer(
      'd1',
      [
        card(0, 'Deposit for cargo bikes', deposit[0] as Standing),
        card(1, 'Payment methods', deposit[1] as Standing, { refRebuilt: true }),
      ],
      { computedAt: { text: stated, instant: asked, note: null }, heldSince: asked },
    ),
  );
  add(
    conversation(row('c2', 'Deposit for the cargo bike', { lastAt: ago(279), citations: 2, strip: strip(deposit) }), [
      {
        message: message('du', 'user', '<p>How high is the deposit for the cargo bike?</p>'),
        runsBefore: [run(1, { startedAt: ago(279) })],
      },
      {
        message: message(
          'd1',
          'assistant',
          `<p>The deposit for a cargo bike is 150&nbsp;€ ${cite(0, 0)} and can be paid by card only ${cite(1, 1)}.</p>`,
          { sources: brief(deposit, basis) },
        ),
      },
    ]),
  );

  const importedAt = ago(60 * 50);
  const untold = untimed(importedAt);
  const abroad = [
    read(untold),
    read(untold, {
      reviews: [
        flag(
          untold,
          'inaccurate',
          'bad',
          'Attested review: inaccurate',
          'human:k.virtanen, 3 Sep 2026 · signer Travel Cover desk',
        ),
      ],
    }),
    contradicting(untold),
    invalid(untold, ['trust.stale is missing', 'node.ref is empty']),
  ];
  sources.set(
    'i1',
    answer(
      'i1',
      [
        card(0, 'Cover outside the EU', abroad[0] as Standing, { package: 'travel-cover 0.8.1', path: 'norway.md' }),
        card(1, 'Theft abroad', abroad[1] as Standing, { package: 'travel-cover 0.8.1', path: 'theft.md' }),
        card(2, 'Deductible', abroad[2] as Standing, {
          package: 'travel-cover 0.8.1',
          path: 'deductible.md',
          places: [],
        }),
        card(3, 'claims.md', abroad[3] as Standing, { package: null, path: 'claims.md', nodeType: null }),
      ],
      { heldSince: importedAt, heldSinceKind: 'imported', replacedEvents: 1 },
    ),
  );
  add(
    conversation(
      row('c3', 'Insurance abroad: what is covered in Norway and Switzerland?', {
        service: 'Travel helper',
        lastAt: ago(60 * 50),
        timesAreImport: true,
        citations: 4,
        strip: strip(abroad),
        findings: 3,
      }),
      [
        {
          message: message('iu', 'user', '<p>Insurance abroad: what is covered in Norway and Switzerland?</p>'),
          runsBefore: [run(1, { endingText: 'ended in an error: upstream timed out', ending: 'error' })],
        },
        {
          message: message(
            'i1',
            'assistant',
            `<p>In Norway the same cover applies as in the EU ${cite(0, 0)}. Theft is covered when the bike was locked ${cite(1, 1)}.</p><table><thead><tr><th>Country</th><th>Cover</th></tr></thead><tbody><tr><td>Norway</td><td>as in the EU ${cite(0, 2)}</td></tr><tr><td>Switzerland</td><td>on request ${cite(3, 3)}</td></tr></tbody></table>`,
            {
              ended: false,
              sources: brief(abroad, `the service did not say when · imported ${importedAt.slice(0, 10)}`),
            },
          ),
        },
      ],
      { notes: ['The recording holds messages only; its times are those of the import.'] },
    ),
  );
  add(
    conversation(
      row('c4', 'Helmet rules for children', {
        lastAt: ago(60 * 55),
        strip: unsourced('No sources: the service sent an empty list'),
      }),
      [
        { message: message('hu', 'user', '<p>Do children have to wear a helmet?</p>'), runsBefore: [run(1)] },
        {
          message: message(
            'h1',
            'assistant',
            '<p>Children under twelve wear one on our bikes. We lend them at every station.</p>',
            {
              sources: {
                state: 'empty',
                sentence: 'No sources: the service sent an empty list',
                basis: null,
                tones: [],
                parts: [],
                repeats: 0,
              },
            },
          ),
        },
      ],
    ),
  );
  sources.set(
    'h1',
    answer('h1', [], {
      state: 'empty',
      sentence: 'No sources: the service sent an empty list.',
      heldSince: ago(60 * 55),
    }),
  );
  add(
    conversation(row('c5', 'Battery range in winter', { service: '127.0.0.1:8000', lastAt: ago(60 * 56) }), [
      {
        message: message('bu', 'user', '<p>How far does the battery reach in winter?</p>'),
        runsBefore: [
          run(1, { questionRecorded: false, ending: 'incomplete', endingText: 'incomplete: its end was not recorded' }),
        ],
      },
      {
        message: message(
          'b1',
          'assistant',
          '<p>About 35&nbsp;km at −5&nbsp;°C. <code>eco</code> mode adds a fifth.</p>',
          {
            sources: {
              state: 'none',
              sentence: 'Sources unknown: no citation event',
              basis: null,
              tones: [],
              parts: [],
              repeats: 0,
            },
          },
        ),
      },
      {
        message: message('b2', 'assistant', '<p>With a spare battery, twice that.</p>', {
          sources: {
            state: 'unknown-version',
            sentence: 'Sources unknown: the citation event is of a version that Recite does not know',
            basis: null,
            tones: [],
            parts: [],
            repeats: 0,
          },
        }),
      },
    ]),
  );
  sources.set(
    'b1',
    answer('b1', [], { state: 'none', sentence: 'Sources unknown: no citation event.', heldSince: ago(60 * 56) }),
  );
  sources.set(
    'b2',
    answer('b2', [], {
      state: 'unknown-version',
      sentence: 'The citation event is of version 2, which Recite does not know.',
      heldSince: ago(60 * 56),
    }),
  );

  world.records.set('record-0', record());
  world.records.set('record-1', record());
  return {
    ...world,
    status: {
      ...world.status,
      sample: true,
      counts: {
        recordings: 5,
        conversations: 5,
        answers: 7,
        records: 9,
        findings: world.findings.length,
        bytes: '1482752',
      },
    },
    conversations,
    filters: {
      services: ['Harbour desk', 'Travel helper', '127.0.0.1:8000'].map((name) => ({ value: name, label: name })),
      packages: ['handbook', 'tariffs', 'travel-cover'].map((name) => ({
        value: `https://harbour.example/packages/${name}`,
        label: name,
      })),
      trust: ['stale', 'superseded', 'invalid record'].map((word) => ({ value: word, label: word })),
      findings: [{ value: 'moca.order', label: 'Not in order of first mention' }],
    },
  };
}

function brief(standings: Standing[], basis: string): SourcesBrief {
  const parts = partsOf(standings);
  return { state: 'applied', sentence: words(parts), basis, parts, repeats: 0, tones: standings.map(toneOf) };
}

function strip(standings: Standing[]): SourceStrip {
  const parts = partsOf(standings);
  return { tones: standings.map(toneOf), parts, coverage: null, label: words(parts) };
}

function words(parts: StripPart[]): string {
  const sources = parts.reduce((sum, part) => sum + part.count, 0);
  return `${sources} sources: ${parts.map(({ count, word }) => `${count} ${word}`).join(' · ')}`;
}

/** An instant as a service one hour east of Greenwich writes it. */
function offsetText(instant: string): string {
  return `${new Date(Date.parse(instant) + 3_600_000).toISOString().slice(0, 19)}+01:00`;
}

function record(): RecordDetail {
  const raw = `{
  "package": { "id": "https://harbour.example/packages/handbook", "version": "3.2.0", "digest": "sha256:8f1c0d2a…41d2", "signed": true, "signers": ["Harbour Bikes publisher"] },
  "node": { "id": "https://harbour.example/packages/handbook#returns.md", "path": "returns.md", "type": "Policy", "title": "Returning a bike" },
  "trust": { "status": "stable", "declaredVerified": [], "attestedReviews": [], "stale": false, "inForce": true, "superseded": false, "contested": false }
}`;
  const fields = [
    ['package.id', 'https://harbour.example/packages/handbook'],
    ['package.version', '3.2.0'],
    ['package.digest', 'sha256:8f1c0d2a…41d2'],
    ['package.signed', 'true'],
    ['package.signers[0]', 'Harbour Bikes publisher'],
    ['node.path', 'returns.md'],
    ['node.title', 'Returning a bike'],
    ['trust.status', 'stable'],
    ['trust.stale', 'false'],
    ['trust.inForce', 'true'],
  ];
  return {
    id: 'record-0',
    fields: fields.map(([path = '', value = '']) => ({ path, value })),
    raw,
    recordSha256: '5f2b9c1d0e8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c',
    remarks: ['The member node.mood is newer than this app knows; it is kept.'],
  };
}
