/**
 * Promise R10: PostgreSQL is stopped at once, without a word to its clients, again and again in the middle
 * of sends. Nothing is lost or doubled, what can not be taken is refused in words, and soon all is well.
 */
import { postgresServer } from '../../support/postgres.ts';
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { readStored } from '../support/check/stored.ts';
import { newRoom } from '../support/client.ts';
import { entry, send, type ClientEntry } from '../support/client-log.ts';
import { runLoad } from '../support/load.ts';
import { randomFrom } from '../support/random.ts';
import { openStand } from '../support/stand.ts';
import { becomesTrue } from '../support/until.ts';

const CLIENTS = 30;
const PROVIDER_DELAY_MS = 40;
const UP_MS = { least: 300, most: 1_200 };
/** Shorter than a settle is tried again for. */
const DOWN_MS = { least: 300, most: 1_500 };
const HEALED_WITHIN_MS = 5_000;
/** A hold that happened although its commit failed is seen in two sweeps, 5 seconds apart, before it is voided. */
const SWEPT_WITHIN_MS = 40_000;

export const databaseRestart = campaign({
  name: 'database-restart',
  promise: 'R10',
  title: 'a restart of the database loses and doubles nothing',
  full: { stops: 20 },
  small: { stops: 1 },
  dialects: ['postgres'],
  run: runDatabaseRestart,
});

async function runDatabaseRestart(run: Run<{ stops: number }>): Promise<Report> {
  const { seed, sizes, judgeTime } = run;
  const { crash, startAgain } = await postgresServer();
  if (!crash || !startAgain) {
    const notPossible = 'the PostgreSQL of ZASTAVA_TEST_POSTGRES_URL is not ours to stop';
    return { told: {}, broken: [], notPossible };
  }
  const random = randomFrom(seed);
  const plan = () => ({ delayMs: random() * PROVIDER_DELAY_MS });
  await using stand = await openStand('postgres', { plan });
  const { url } = await stand.start();
  const token = await stand.fillPurse(url);
  const roomId = await newRoom(url, token);
  const log: ClientEntry[] = [];
  let running = true;
  const clients = runLoad({
    ...{ url: () => url, token, roomId, clients: CLIENTS, log, random, name: 'load' },
    running: () => running,
  });
  const healedMs: number[] = [];
  for (let stop = 0; stop < sizes.stops; stop++) {
    await Bun.sleep(UP_MS.least + random() * (UP_MS.most - UP_MS.least));
    await crash();
    await Bun.sleep(DOWN_MS.least + random() * (DOWN_MS.most - DOWN_MS.least));
    await startAgain();
    const start = performance.now();
    await becomesTrue(async () => {
      const line = entry({ message: `healing ${stop}, ${log.length}`, roomId });
      log.push(line);
      return (await send(url, token, line)).how === 'answered';
    }, HEALED_WITHIN_MS * 4);
    healedMs.push(performance.now() - start);
  }
  running = false;
  await clients;
  const { database, provider } = stand;
  const swept = await becomesTrue(
    async () => (await readStored(database)).holding.length === 0,
    SWEPT_WITHIN_MS,
  );
  const { findings, compared } = await checkBooks({
    ...{ database, calls: provider.calls, log, died: false },
  });
  const slowest = Math.max(...healedMs);
  const refusals = log.flatMap(({ seen }) => (seen.how === 'refused' ? [seen.code] : []));
  const odd = log.flatMap(({ message, seen }) =>
    seen.how === 'answered' || (seen.how === 'refused' && seen.code === 'overloaded')
      ? []
      : [`${message}: ${JSON.stringify(seen)}`],
  );
  return {
    told: { ...compared, refused: refusals.length, slowestHealMs: Math.round(slowest) },
    broken: [
      ...linesOf({ ...findings, odd }),
      ...unless(swept, 'holds were left behind'),
      ...unless(refusals.length > 0, 'no send was refused: the database was never away'),
      ...unless(
        !judgeTime || slowest <= HEALED_WITHIN_MS,
        `it took ${Math.round(slowest)} ms to heal`,
      ),
    ],
  };
}
