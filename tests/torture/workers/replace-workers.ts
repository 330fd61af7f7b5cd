/**
 * Promise R12 on one machine: SIGHUP replaces each worker by a new process, one after the other. Requests are answered,
 * since the others serve. Only a connection made at the moment when a worker closes the port may be reset before
 * anything is read from it.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { newRoom } from '../support/client.ts';
import type { ClientEntry } from '../support/client-log.ts';
import { startLoad } from '../support/load.ts';
import { childrenOf } from '../support/process-facts.ts';
import { randomFrom } from '../support/random.ts';
import { openStand } from '../support/stand.ts';
import { becomesTrue } from '../support/until.ts';

const CLIENTS = 30;
const PROVIDER_DELAY_MS = 60;
/** The longest pause before a round. */
const PAUSE_MS_MAX = 300;
const REPLACED_WITHIN_MS = 240_000;

interface ReplaceSizes extends Record<string, number> {
  workers: number;
  rounds: number;
}

export const replaceWorkers = campaign<ReplaceSizes>({
  name: 'replace-workers',
  promise: 'R12',
  title: 'SIGHUP replaces workers, and fails no request',
  full: { workers: 3, rounds: 20 },
  small: { workers: 2, rounds: 1 },
  dialects: ['postgres'],
  run: runReplaceWorkers,
});

async function runReplaceWorkers({ dialect, seed, sizes }: Run<ReplaceSizes>): Promise<Report> {
  const { workers, rounds } = sizes;
  const random = randomFrom(seed);
  const plan = () => ({ delayMs: random() * PROVIDER_DELAY_MS, pieceMs: 10 });
  await using stand = await openStand(dialect, { plan, workers });
  const server = await stand.start();
  const { url, pid } = server;
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
    name: 'replaced',
  });
  let late = 0;
  for (let round = 0; round < rounds; round++) {
    await Bun.sleep(PAUSE_MS_MAX * random());
    const before = childrenOf(pid);
    process.kill(pid, 'SIGHUP');
    const areNew = () => {
      const now = childrenOf(pid);
      return now.length === workers && !now.some((child) => before.includes(child));
    };
    if (!(await becomesTrue(areNew, REPLACED_WITHIN_MS))) late++;
  }
  await stopLoad();
  const exitCode = await server.stop();
  const { database, provider } = stand;
  const { calls } = provider;
  const { findings, compared } = await checkBooks({ database, calls, log, died: false });
  const called = new Set(calls.map(({ message }) => message));
  const isReset = ({ message, seen }: ClientEntry) =>
    seen.how === 'unknown' && !called.has(message);
  const reset = log.filter(isReset);
  const failed = log.filter((line) => line.seen.how !== 'answered' && !isReset(line));
  const replaced = rounds * workers;
  return {
    figures: { ...compared, replaced, failed: failed.length, reset: reset.length },
    broken: [
      ...linesOf({
        ...findings,
        failed: failed.map(({ message, seen }) => `${message}: ${JSON.stringify(seen)}`),
      }),
      // More than one for each closed port would mean that workers close it too early.
      ...unless(reset.length <= replaced, `${reset.length} connections were reset`),
      ...unless(late === 0, `${late} times the workers were not replaced in time`),
      ...unless(exitCode === 0, `exit code ${exitCode}`),
      ...unless(compared.answered > 0, 'no send was answered: nothing was tried'),
    ],
  };
}
