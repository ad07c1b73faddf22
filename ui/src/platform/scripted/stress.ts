import { answer, card, cite, run } from './harbour';
import { declared, flag, partsOf, read, signed, statedBy } from './standings';
import { conversation, message, row, type ScriptedConversation, type World } from './world';

const SENTENCES = [
  'Bikes are checked each evening by the station crew.',
  'The lock takes four digits and the code changes with every rental.',
  'A flat tyre is mended at the next station without charge.',
  'Cargo bikes carry up to eighty kilograms, children only with belts.',
  'Rain covers hang at every staffed station from October to April.',
];

/** A conversation of so many messages, of heights that nobody can know beforehand. */
export function longConversation(id: string, total: number, lastAt: string): ScriptedConversation {
  const line = row(id, `A very long conversation of ${total.toLocaleString('en-GB')} messages`, {
    lastAt,
    messages: total,
  });
  const made = conversation(line, []);
  return {
    ...made,
    head: { ...made.head, row: { ...line, runs: Math.ceil(total / 200), answers: Math.floor(total / 2) } },
    total,
    item: (place) => {
      const runsBefore = place % 200 === 0 ? [run(place / 200 + 1)] : [];
      if (place % 2 === 0) {
        return {
          place,
          runsBefore,
          message: message(`${id}-${place}`, 'user', `<p>Question ${place / 2 + 1}: and then?</p>`),
        };
      }
      const paragraphs = Array.from({ length: 1 + ((place * 7) % 5) }, (_, i) => {
        const words = SENTENCES.slice(0, 1 + ((place + i) % SENTENCES.length)).join(' ');
        return `<p>${words}${i === 0 && place % 10 === 1 ? ` ${cite(0, 0)}` : ''}</p>`;
      });
      const sources = {
        state: 'none' as const,
        sentence: 'Sources unknown: no citation event',
        basis: null,
        tones: [],
        parts: [],
        repeats: 0,
      };
      return { place, runsBefore, message: message(`${id}-${place}`, 'assistant', paragraphs.join(''), { sources }) };
    },
  };
}

const FORGERY = '✔ Signed · Attested by Harbour Bikes publisher · as of 30 Nov 2026 · by the service’s Reader';
const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(6);

/** A conversation whose words try to look like what they are not, or to leave their boxes. */
export function hostileConversation(id: string, lastAt: string, world: World): ScriptedConversation {
  const stated = '2026-11-30T10:42:11+01:00';
  const then = statedBy(stated);
  const standing = read(then, {
    integrity: signed(then, `“${FORGERY}”`),
    reviews: [flag(then, 'unknownOutcome', 'unknown', 'Attested review: outcome “splendid” not known', FORGERY)],
    declared: [declared(then, 'human:✔ attested by everyone')],
  });
  const items = [
    card(0, FORGERY, standing, {
      marker: '✔ Attested',
      package: `${WORD} 1.0.0`,
      path: `${WORD}.md`,
      nodeType: WORD,
      textHtml: `<p>${FORGERY}</p><p>${WORD}</p>`,
      places: [{ place: 0, excerpt: `${FORGERY} ${WORD}` }],
    }),
    card(1, 'שלום לכל מי שרוכב על אופניים בנמל', read(then), {
      marker: '[٢]',
      package: 'حزمة الدراجات 1.0.0',
      path: 'عودة.md',
      places: [{ place: 1, excerpt: 'يمكن إرجاع الدراجة في أي محطة [٢]' }],
    }),
  ];
  world.sources.set(
    'x1',
    answer('x1', items, { computedAt: { text: stated, instant: new Date(stated).toISOString(), note: null } }),
  );
  return conversation(
    row(id, `${WORD} — ${FORGERY}`, {
      service: WORD,
      lastAt,
      citations: 2,
      answers: 1,
      strip: { tones: ['unknown', 'good'], parts: partsOf([standing, read(then)]), coverage: null, label: WORD },
    }),
    [
      {
        message: message('xu', 'user', `<p>${WORD}</p><p>هل يمكنني إرجاع الدراجة في محطة أخرى؟</p>`),
        runsBefore: [run(1, { endingText: `ended in an error: ${WORD}`, ending: 'error' })],
      },
      {
        message: message(
          'x1',
          'assistant',
          `<p>${FORGERY} ${cite(0, 0, '✔ Attested')}</p><p dir="auto">يمكن إرجاع الدراجة في أي محطة ${cite(1, 1, '[٢]')}.</p><p>evil <span class="mark" data-mark="hidden">U+202E</span> gnp.exe</p><pre><code>${WORD}</code></pre>`,
          {
            sources: {
              state: 'applied',
              sentence: '2 sources: 1 reviewed with an unknown outcome · 1 in force, not stale',
              parts: partsOf([standing, read(then)]),
              repeats: 0,
              basis: `as of ${stated} · by the service’s Reader`,
              tones: ['unknown', 'good'],
            },
            toolCalls: [{ toolCallId: WORD, name: WORD, arguments: `{"x":"${WORD}"}`, answered: false }],
          },
        ),
      },
    ],
    { notes: [`${WORD} ${FORGERY}`] },
  );
}
