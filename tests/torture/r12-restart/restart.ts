/**
 * Promise R12: a restart does not affect accepted sends. A node is stopped in the middle of sends, again and again: it
 * answers every accepted send, charges no refused one, and exits with 0.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { loginAsAdmin, newRoom } from '../support/client.ts';
import type { ClientEntry } from '../support/client-log.ts';
import { startLoad } from '../support/load.ts';
import { randomFrom } from '../support/random.ts';
import { openStand, type Stand } from '../support/stand.ts';

const CLIENTS = 30;
const LIFE_MS = { least: 200, most: 800 };
const PROVIDER_DELAY_MS = 60;
const STOPPED_WITHIN_MS = 30_000;

export const restart = campaign({
  name: 'restart',
  promise: 'R12',
  title: 'a restart is invisible to what was accepted',
  full: { stops: 50, workers: 1 },
  small: { stops: 2, workers: 1 },
  smallDialects: ['sqlite'],
  run: runRestart,
});

interface Life {
  number: number;
  exitCode: number;
  stopMs: number;
}

async function runRestart({
  dialect,
  seed,
  sizes,
  judgeTime,
}: Run<{ stops: number; workers: number }>): Promise<Report> {
  const random = randomFrom(seed);
  const plan = () => ({ delayMs: random() * PROVIDER_DELAY_MS, pieceMs: 10 });
  await using stand = await openStand(dialect, { plan, workers: sizes.workers });
  const log: ClientEntry[] = [];
  const lives: Life[] = [];
  for (let number = 0; number < sizes.stops; number++) {
    lives.push(await live(stand, number, log, random));
  }
  const { database, provider } = stand;
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log,
    died: false,
  });
  const called = new Set(provider.calls.map(({ message }) => message));
  const slowest = Math.max(...lives.map(({ stopMs }) => stopMs));
  return {
    figures: { ...compared, refused: refusalsIn(log), slowestStopMs: Math.round(slowest) },
    broken: [
      ...linesOf({ ...findings, failed: failedIn(log, called) }),
      ...lives.flatMap(({ number, exitCode }) =>
        unless(exitCode === 0, `stop ${number}: exit code ${exitCode}`),
      ),
      ...unless(
        !judgeTime || slowest <= STOPPED_WITHIN_MS,
        `a stop took ${Math.round(slowest)} ms`,
      ),
      ...unless(compared.answered > 0, 'no send was answered: nothing was tried'),
    ],
  };
}

async function live(
  stand: Stand,
  number: number,
  log: ClientEntry[],
  random: () => number,
): Promise<Life> {
  const server = await stand.start();
  const { url } = server;
  const token = number === 0 ? await stand.fillPurse(url) : await loginAsAdmin(url);
  const roomId = await newRoom(url, token);
  const stopLoad = startLoad({
    url: () => url,
    token,
    roomId,
    clients: CLIENTS,
    log,
    random,
    name: `life ${number}`,
  });
  await Bun.sleep(LIFE_MS.least + random() * (LIFE_MS.most - LIFE_MS.least));
  const start = performance.now();
  const exitCode = await server.stop();
  const stopMs = performance.now() - start;
  await stopLoad();
  return { number, exitCode, stopMs };
}

function refusalsIn(log: readonly ClientEntry[]): Record<string, number> {
  const kinds = log.map(({ seen }) => (seen.how === 'refused' ? seen.code : seen.how));
  return Object.fromEntries(
    [...Map.groupBy(kinds, (kind) => kind)]
      .filter(([kind]) => kind !== 'answered')
      .map(([kind, of]) => [kind, of.length]),
  );
}

/**
 * Sends that were accepted but not answered: the provider was called. A refused send must have got an error, unless the
 * port was already closed.
 */
function failedIn(log: readonly ClientEntry[], called: ReadonlySet<string>): string[] {
  return log.flatMap(({ message, seen }) => {
    const isTaken = called.has(message);
    if (seen.how === 'answered') return [];
    const how = seen.how === 'refused' ? `${seen.status} ${seen.code}` : seen.how;
    if (isTaken) return [`${message}: taken, and then ${how}`];
    return seen.how === 'refused' && seen.code !== 'overloaded' ? [`${message}: ${how}`] : [];
  });
}
