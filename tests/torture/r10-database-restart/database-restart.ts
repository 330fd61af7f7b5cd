/**
 * Promise R10: PostgreSQL is stopped immediately, without notice to its clients, again and again in the middle of
 * sends. Nothing is lost or doubled, sends that cannot be taken are refused with an error, and the service soon
 * recovers.
 */
import { postgresServer } from '../../support/postgres.ts';
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { newRoom } from '../support/client.ts';
import { entry, oddIn, refusedIn, send, type ClientEntry } from '../support/client-log.ts';
import { startLoad } from '../support/load.ts';
import { holdsAreGone } from '../support/quiet.ts';
import { randomFrom } from '../support/random.ts';
import { openStand } from '../support/stand.ts';
import { becomesTrue } from '../support/until.ts';
import { untilRefused } from '../support/until-refused.ts';

const CLIENTS = 30;
const PROVIDER_DELAY_MS = 40;
const UP_MS = { least: 300, most: 1_200 };
/** Longer than until a send has been refused; shorter than a settle is retried. */
const DOWN_MS = { least: 300, most: 1_500 };
/** A settle is retried for 30 seconds; on a machine that is busy elsewhere, a restart may take longer. */
const SETTLED_WITHIN_MS = 25_000;
const HEALED_WITHIN_MS = 5_000;
/** If time is not judged, the service must recover nevertheless. */
const HEALED_EVER_MS = 60_000;
/** A hold that was stored although its commit failed is seen in two sweeps, 5 seconds apart, before it is voided. */
const SWEPT_WITHIN_MS = 120_000;

export const databaseRestart = campaign({
  name: 'database-restart',
  promise: 'R10',
  title: 'a restart of the database loses and doubles nothing',
  full: { stops: 20, workers: 1 },
  small: { stops: 1, workers: 1 },
  dialects: ['postgres'],
  run: runDatabaseRestart,
});

async function runDatabaseRestart(run: Run<{ stops: number; workers: number }>): Promise<Report> {
  const { seed, sizes, judgeTime } = run;
  const { crash, startAgain } = await postgresServer();
  if (!crash || !startAgain) {
    const notPossible = 'the PostgreSQL of ZASTAVA_TEST_POSTGRES_URL is not ours to stop';
    return { figures: {}, broken: [], notPossible };
  }
  const random = randomFrom(seed);
  const plan = () => ({ delayMs: random() * PROVIDER_DELAY_MS });
  await using stand = await openStand('postgres', { plan, workers: sizes.workers });
  const { url } = await stand.start();
  const token = await stand.fillPurse(url);
  const roomId = await newRoom(url, token);
  const log: ClientEntry[] = [];
  const stopLoad = startLoad({
    url: () => url,
    token,
    roomId,
    clients: CLIENTS,
    log,
    random,
    name: 'load',
  });
  const of = { crash, startAgain, url, token, roomId, log, random };
  const outages: Outage[] = [];
  for (let stop = 0; stop < sizes.stops; stop++) outages.push(await oneStop(of, stop));
  await stopLoad();
  const { database, provider } = stand;
  const swept = await holdsAreGone(stand, SWEPT_WITHIN_MS);
  const longest = Math.max(...outages.map(({ wholeMs }) => wholeMs));
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log,
    died: longest > SETTLED_WITHIN_MS,
  });
  const slowest = Math.max(...outages.map(({ healedMs }) => healedMs));
  const refused = refusedIn(log);
  return {
    figures: {
      ...compared,
      refused,
      slowestHealMs: Math.round(slowest),
      longestOutageMs: Math.round(longest),
    },
    broken: [
      ...linesOf({ ...findings, odd: oddIn(log) }),
      ...unless(swept, 'holds were left behind'),
      ...unless(refused > 0, 'no send was refused: the database was never away'),
      ...unless(
        slowest <= (judgeTime ? HEALED_WITHIN_MS : HEALED_EVER_MS),
        `it took ${Math.round(slowest)} ms to heal`,
      ),
    ],
  };
}

interface Stopped {
  crash: () => Promise<void>;
  startAgain: () => Promise<void>;
  url: string;
  token: string;
  roomId: string;
  log: ClientEntry[];
  random: () => number;
}

/** Milliseconds until a send passed again: from the stop, and from the start of the database. */
interface Outage {
  wholeMs: number;
  /** Infinite if none passed. */
  healedMs: number;
}

async function oneStop(of: Stopped, stop: number): Promise<Outage> {
  const { crash, startAgain, url, token, roomId, log, random } = of;
  await Bun.sleep(UP_MS.least + random() * (UP_MS.most - UP_MS.least));
  const earlier = log.length;
  const begun = performance.now();
  await crash();
  await Bun.sleep(DOWN_MS.least + random() * (DOWN_MS.most - DOWN_MS.least));
  const name = `stop ${stop}`;
  const probes = await untilRefused({ url, token, roomId, log, earlier, name });
  await startAgain();
  const start = performance.now();
  const isHealed = await becomesTrue(async () => {
    const line = entry({ message: `healing ${stop}, ${log.length}`, roomId });
    log.push(line);
    return (await send(url, token, line)).how === 'answered';
  }, HEALED_EVER_MS);
  const now = performance.now();
  await Promise.all(probes);
  return { wholeMs: now - begun, healedMs: isHealed ? now - start : Number.POSITIVE_INFINITY };
}
