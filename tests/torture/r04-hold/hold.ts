/**
 * Promise R4: a charge stays within its hold, whatever usage the provider reports: ten times the cap, astronomic
 * numbers, negative ones, fractions, words. A charge that was cut is marked.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { CAP_MAX, IMAGE, TEXT } from '../support/catalogue.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { readStored } from '../support/check/stored.ts';
import { newRoom } from '../support/client.ts';
import { entry, send, type ClientEntry } from '../support/client-log.ts';
import type { Plan } from '../support/journal-provider.ts';
import { between, pick, randomFrom } from '../support/random.ts';
import { openStand } from '../support/stand.ts';

const AT_ONCE = 10;
const TIMES = 10;
const kinds = [
  { ai: TEXT, stream: false },
  { ai: TEXT, stream: true },
  { ai: IMAGE, stream: false },
  { ai: IMAGE, stream: true },
];
/** Values that are not token counts, or not usage at all. */
const oddities: readonly unknown[] = [
  ...[-1, 1.5, 1e18, 2 ** 53, 1e300, '5', null, true, [], {}, '1e9'].map((tokens) => ({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    total_tokens: tokens,
  })),
  null,
  7,
  'much',
  [1, 2],
  {},
  { prompt_tokens_details: { cached_tokens: 1e18 } },
];

export const hold = campaign({
  name: 'hold',
  promise: 'R4',
  title: 'a charge stays within its hold',
  full: { sends: 5_000 },
  small: { sends: 80 },
  smallDialects: ['sqlite'],
  run: runHold,
});

async function runHold({ dialect, seed, sizes }: Run<{ sends: number }>): Promise<Report> {
  const random = randomFrom(seed);
  const plans = new Map<string, Plan>();
  await using stand = await openStand(dialect, { plan: (message) => plans.get(message) ?? {} });
  const { database, provider } = stand;
  const { url } = await stand.start();
  const token = await stand.fillPurse(url);
  const roomId = await newRoom(url, token);
  const log: ClientEntry[] = [];
  const client = async () => {
    while (log.length < sizes.sends) {
      const message = `send ${log.length}`;
      const cap = between(1, CAP_MAX, random);
      plans.set(message, planFor(cap, random));
      const line = entry({ message, roomId, cap, ...pick(kinds, random) });
      log.push(line);
      await send(url, token, line);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log,
    died: false,
  });
  const { messages } = await readStored(database);
  const full = new Set(
    messages.filter(({ hold: held, charged }) => charged === held).map(({ request }) => request),
  );
  const warned = log.filter(
    ({ seen }) => seen.how === 'answered' && seen.warnings.some((text) => /was cut/.test(text)),
  );
  return {
    figures: { ...compared, cut: warned.length },
    broken: [
      ...linesOf({
        ...findings,
        unanswered: log.flatMap(({ message, seen }) =>
          unless(seen.how === 'answered', `${message}: ${JSON.stringify(seen)}`),
        ),
        wronglyMarked: warned.flatMap(({ message }) =>
          unless(full.has(message), `${message}: marked as cut, and charged less than its hold`),
        ),
        unmarked: log.flatMap(({ message }) =>
          unless(
            !full.has(message) || warned.some((line) => line.message === message),
            `${message}: charged its whole hold, and not marked`,
          ),
        ),
      }),
      ...unless(warned.length > 0, 'nothing was cut: nothing was tried'),
    ],
  };
}

/** Usage up to ten times the cap, within the cap, or nonsense. */
function planFor(cap: number, random: () => number): Plan {
  const die = random();
  if (die < 0.3) return { nonsense: pick(oddities, random) };
  const most = die < 0.7 ? TIMES : 1;
  const prompt = between(0, most * 20, random);
  return { reported: { prompt, completion: between(0, most * cap + 1, random) } };
}
