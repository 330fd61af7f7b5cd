/**
 * Promise R12 over several nodes: nginx passes requests that a stopping node refuses or leaves unanswered to another
 * node, so no request fails at all while the nodes are restarted one after the other.
 */
import { startBehindNginx } from '../support/behind-nginx.ts';
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { newRoom } from '../support/client.ts';
import type { ClientEntry } from '../support/client-log.ts';
import { startLoad } from '../support/load.ts';
import { nginxIsHere } from '../support/nginx.ts';
import { randomFrom } from '../support/random.ts';
import { openStand } from '../support/stand.ts';

const NODES = 3;
const CLIENTS = 30;
const PROVIDER_DELAY_MS = 60;
/** Between two restarts, all nodes work. */
const PAUSE_MS = 300;
const STOPPED_WITHIN_MS = 30_000;

export const rolling = campaign({
  name: 'rolling',
  promise: 'R12',
  title: 'a rolling restart behind nginx fails no request',
  full: { rounds: 17 },
  small: undefined,
  dialects: ['postgres'],
  run: runRolling,
});

async function runRolling({ dialect, seed, sizes }: Run<{ rounds: number }>): Promise<Report> {
  if (!nginxIsHere) return { figures: {}, broken: [], notPossible: 'nginx is not installed' };
  const random = randomFrom(seed);
  const plan = () => ({ delayMs: random() * PROVIDER_DELAY_MS, pieceMs: 10 });
  await using stand = await openStand(dialect, { plan });
  await using nginx = await startBehindNginx(stand, NODES);
  const { nodes } = nginx;
  const token = await stand.fillPurse(nginx.url);
  const roomId = await newRoom(nginx.url, token);
  const log: ClientEntry[] = [];
  const stopLoad = startLoad({
    url: () => nginx.url,
    token,
    roomId,
    clients: CLIENTS,
    log,
    random,
    name: 'rolling',
  });
  const stops: { exitCode: number; ms: number }[] = [];
  for (let round = 0; round < sizes.rounds; round++) {
    for (let node = 0; node < NODES; node++) {
      await Bun.sleep(PAUSE_MS * random());
      const begun = performance.now();
      const exitCode = (await nodes[node]?.stop()) ?? -1;
      stops.push({ exitCode, ms: performance.now() - begun });
      await nginx.startAgain(node);
    }
  }
  await stopLoad();
  const { database, provider } = stand;
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log,
    died: false,
  });
  const failed = log.filter(({ seen }) => seen.how !== 'answered');
  const slowest = Math.max(...stops.map(({ ms }) => ms));
  return {
    figures: { ...compared, stops: stops.length, slowestStopMs: Math.round(slowest) },
    broken: [
      ...linesOf({
        ...findings,
        failed: failed.map(({ message, seen }) => `${message}: ${JSON.stringify(seen)}`),
      }),
      ...unless(
        stops.every(({ exitCode }) => exitCode === 0),
        'a node did not exit with 0',
      ),
      ...unless(slowest <= STOPPED_WITHIN_MS, `a stop took ${Math.round(slowest)} ms`),
      ...unless(compared.answered > 0, 'no send was answered: nothing was tried'),
    ],
  };
}
