/**
 * Promise R10, of a database that is slow instead of away: its answers to one node are late, or stop for seconds, while
 * another node is not affected. Nothing is lost or doubled, and no answer is wrong.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { newRoom } from '../support/client.ts';
import { entry, oddIn, refusedIn, send, type ClientEntry } from '../support/client-log.ts';
import { startLoad } from '../support/load.ts';
import { holdsAreGone } from '../support/quiet.ts';
import { between, randomFrom } from '../support/random.ts';
import { openRelay } from '../support/relay.ts';
import { openStand } from '../support/stand.ts';
import { becomesTrue } from '../support/until.ts';

const CLIENTS = 15;
const PROVIDER_DELAY_MS = 40;
/** How long each answer of the database is delayed, and for how long. */
const SLOW_MS = { least: 5, most: 60 };
const SLOW_FOR_MS = { least: 500, most: 1_500 };
/** How long all of its answers then stop. */
const STALL_MS_LEAST = 500;
const HEALED_WITHIN_MS = 5_000;
/** If time is not judged, the node must recover nevertheless. */
const HEALED_EVER_MS = 60_000;
const SWEPT_WITHIN_MS = 120_000;

interface SlowSizes extends Record<string, number> {
  rounds: number;
  /** The longest wait. */
  stallMs: number;
}

export const slowDatabase = campaign<SlowSizes>({
  name: 'slow-database',
  promise: 'R10',
  title: 'a slow database loses and doubles nothing',
  full: { rounds: 20, stallMs: 6_000 },
  small: { rounds: 1, stallMs: 1_500 },
  dialects: ['postgres'],
  run: runSlowDatabase,
});

async function runSlowDatabase(run: Run<SlowSizes>): Promise<Report> {
  const { seed, sizes, judgeTime } = run;
  const random = randomFrom(seed);
  const plan = () => ({ delayMs: random() * PROVIDER_DELAY_MS });
  await using stand = await openStand('postgres', { plan });
  if (stand.database.kind !== 'postgres') throw new Error('this is about PostgreSQL');
  const direct = new URL(stand.database.url);
  await using relay = await openRelay({ port: Number(direct.port) });
  const late = new URL(direct);
  late.port = String(relay.port);
  const slow = await stand.start(0, { env: { ZASTAVA_DATABASE_URL: late.href } });
  const other = await stand.start(1);
  const token = await stand.fillPurse(other.url);
  const roomId = await newRoom(other.url, token);
  const log: ClientEntry[] = [];
  const stops = [slow, other].map(({ url }, node) =>
    startLoad({
      url: () => url,
      token,
      roomId,
      clients: CLIENTS,
      log,
      random,
      name: `node ${node}`,
    }),
  );
  const healedMs: number[] = [];
  for (let round = 0; round < sizes.rounds; round++) {
    relay.delayMs = between(SLOW_MS.least, SLOW_MS.most, random);
    await Bun.sleep(between(SLOW_FOR_MS.least, SLOW_FOR_MS.most, random));
    const stallMs = between(STALL_MS_LEAST, sizes.stallMs, random);
    relay.delayMs = stallMs;
    await Bun.sleep(stallMs);
    relay.delayMs = 0;
    // Bytes that arrived before the stall ended are delayed for the same time.
    await Bun.sleep(stallMs);
    const start = performance.now();
    await becomesTrue(async () => {
      const line = entry({ message: `healing ${round}, ${log.length}`, roomId });
      log.push(line);
      return (await send(slow.url, token, line)).how === 'answered';
    }, HEALED_EVER_MS);
    healedMs.push(performance.now() - start);
  }
  await Promise.all(stops.map((stop) => stop()));
  const { database, provider } = stand;
  const swept = await holdsAreGone(stand, SWEPT_WITHIN_MS);
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log,
    died: false,
  });
  const slowest = Math.round(Math.max(...healedMs));
  const refused = refusedIn(log);
  return {
    figures: { ...compared, refused, slowestHealMs: slowest },
    broken: [
      ...linesOf({ ...findings, odd: oddIn(log) }),
      ...unless(swept, 'holds were left behind'),
      ...unless(compared.answered > 0, 'no send was answered: nothing was tried'),
      ...unless(!judgeTime || slowest <= HEALED_WITHIN_MS, `it took ${slowest} ms to heal`),
    ],
  };
}
