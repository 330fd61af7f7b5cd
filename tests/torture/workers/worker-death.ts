/**
 * Promise R1 with workers: a worker of a server is killed in the middle of sends, again and again, and sometimes the
 * parent of all. The port stays open, or the next start opens it. Nothing is lost or doubled.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { newRoom } from '../support/client.ts';
import { send, type ClientEntry } from '../support/client-log.ts';
import { startLoad } from '../support/load.ts';
import { childrenOf } from '../support/process-facts.ts';
import { holdsAreGone } from '../support/quiet.ts';
import { between, randomFrom } from '../support/random.ts';
import { openStand, type Stand } from '../support/stand.ts';
import { becomesTrue } from '../support/until.ts';

const CLIENTS = 30;
const PROVIDER_DELAY_MS = 60;
const FAILURE_PAUSE_MS = 300;
const LIFE_MS = { least: 200, most: 1_000 };
/** A node that no other process replaces is considered dead after 30 seconds. */
const VOIDED_WITHIN_MS = 150_000;
const BACK_WITHIN_MS = 60_000;

interface DeathSizes extends Record<string, number> {
  workers: number;
  deaths: number;
  /** One death in this many kills the parent. */
  parentEvery: number;
}

export const workerDeath = campaign<DeathSizes>({
  name: 'worker-death',
  promise: 'R1',
  title: 'the death of a worker, or of the parent of all, loses or doubles no charge',
  full: { workers: 3, deaths: 50, parentEvery: 5 },
  small: { workers: 2, deaths: 2, parentEvery: 2 },
  dialects: ['postgres'],
  run: runWorkerDeath,
});

async function runWorkerDeath({ dialect, seed, sizes }: Run<DeathSizes>): Promise<Report> {
  const random = randomFrom(seed);
  const plan = () => ({ delayMs: random() * PROVIDER_DELAY_MS, pieceMs: 10 });
  await using stand = await openStand(dialect, { plan, workers: sizes.workers });
  let server = await stand.start();
  const token = await stand.fillPurse(server.url);
  const roomId = await newRoom(server.url, token);
  const log: ClientEntry[] = [];
  const stopLoad = startLoad({
    url: () => server.url,
    token,
    roomId,
    clients: CLIENTS,
    log,
    random,
    name: 'worker death',
    // Starting all takes a while: without a pause there would be thousands of sends to repeat.
    afterFailure: () => Bun.sleep(FAILURE_PAUSE_MS),
  });
  let late = 0;
  for (let death = 1; death <= sizes.deaths; death++) {
    await Bun.sleep(between(LIFE_MS.least, LIFE_MS.most, random));
    if (death % sizes.parentEvery === 0) {
      await server.kill();
      server = await stand.start();
    } else if (!(await killOne(server.pid, sizes.workers, random))) late++;
  }
  await stopLoad();
  const voided = await holdsAreGone(stand, VOIDED_WITHIN_MS);
  await repeatUnknown(server.url, token, log);
  const broken = await findingsOf(stand, log);
  const exitCode = await server.stop();
  return {
    figures: { ...broken.compared, deaths: sizes.deaths, sends: log.length },
    broken: [
      ...linesOf(broken.findings),
      ...unless(voided, 'holds of a dead worker were left behind'),
      ...unless(late === 0, `${late} workers did not come back`),
      ...unless(exitCode === 0, `exit code ${exitCode}`),
      ...unless(broken.compared.answered > 0, 'no send was answered: nothing was tried'),
    ],
  };
}

/** @returns whether all of them ran again in time */
async function killOne(parent: number, workers: number, random: () => number): Promise<boolean> {
  const pids = childrenOf(parent);
  const pid = pids[Math.floor(random() * pids.length)];
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  const isBack = () => {
    const now = childrenOf(parent);
    return now.length === workers && !now.includes(pid ?? 0);
  };
  return becomesTrue(isBack, BACK_WITHIN_MS);
}

async function repeatUnknown(url: string, token: string, log: ClientEntry[]): Promise<void> {
  const unknown = log.filter(({ seen, key }) => seen.how !== 'answered' && key !== undefined);
  const left = unknown.values();
  const client = async () => {
    for (const line of left) await send(url, token, line);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

function findingsOf({ database, provider }: Stand, log: ClientEntry[]) {
  return checkBooks({ database, calls: provider.calls, log, died: true });
}
