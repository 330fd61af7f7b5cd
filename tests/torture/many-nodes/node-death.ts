/**
 * Promise R1 across several nodes: one of three behind nginx is killed in the middle of sends, again and again. Other
 * nodes take the next requests, so that for clients only the sends fail that the dead node was working on. Nothing is
 * lost or doubled, not even for clients without idempotency keys: nginx repeats only requests with a key, and the other
 * node knows the first one by it.
 */
import { startBehindNginx } from '../support/behind-nginx.ts';
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { newRoom } from '../support/client.ts';
import { send, type ClientEntry, type Seen } from '../support/client-log.ts';
import { startLoad } from '../support/load.ts';
import { nginxIsHere } from '../support/nginx.ts';
import { holdsAreGone } from '../support/quiet.ts';
import { between, randomFrom } from '../support/random.ts';
import { openStand } from '../support/stand.ts';

const NODES = 3;
const CLIENTS = 30;
const PROVIDER_DELAY_MS = 60;
/** First with all nodes, then with two of them. */
const WHOLE_MS = { least: 200, most: 700 };
const BROKEN_MS = { least: 100, most: 700 };
/** Other nodes consider a node dead that was silent for 30 seconds, and check every 5. */
const VOIDED_WITHIN_MS = 150_000;

interface DeathSizes extends Record<string, number> {
  deaths: number;
  /** After this many of the last deaths (0 or 1), the node is not started again, and other nodes clear up. */
  unattended: number;
}

export const nodeDeath = campaign<DeathSizes>({
  name: 'node-death',
  promise: 'R1',
  title: 'the death of a node behind nginx loses or doubles no charge',
  full: { deaths: 50, unattended: 1 },
  small: { deaths: 1, unattended: 0 },
  dialects: ['postgres'],
  run: runNodeDeath,
});

async function runNodeDeath({ dialect, seed, sizes }: Run<DeathSizes>): Promise<Report> {
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
    name: 'death',
    afterFailure: () => Promise.resolve(),
  });
  for (let death = 0; death < sizes.deaths; death++) {
    await Bun.sleep(between(WHOLE_MS.least, WHOLE_MS.most, random));
    const node = Math.floor(random() * NODES);
    await nodes[node]?.kill();
    await Bun.sleep(between(BROKEN_MS.least, BROKEN_MS.most, random));
    if (death < sizes.deaths - sizes.unattended) await nginx.startAgain(node);
  }
  await stopLoad();
  const { database, provider } = stand;
  const voided = await holdsAreGone(stand, VOIDED_WITHIN_MS);
  const unanswered = log.filter(({ seen }) => seen.how !== 'answered');
  const refused = unanswered.filter(({ seen }) => seen.how === 'refused' && !isStillHeld(seen));
  const broke = unanswered.length - refused.length;
  const words = refused.map(({ message, seen }) => `${message}: ${JSON.stringify(seen)}`);
  await repeatKeyed(nginx.url, token, unanswered);
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log,
    died: true,
  });
  return {
    figures: {
      ...compared,
      deaths: sizes.deaths,
      sends: log.length,
      broke,
      refused: refused.length,
    },
    broken: [
      ...linesOf({ ...findings, refused: words }),
      ...unless(voided, 'holds of a dead node were left behind'),
      ...unless(
        broke <= CLIENTS * sizes.deaths,
        `${broke} sends broke, more than ${CLIENTS} in flight a death`,
      ),
      ...unless(compared.answered > 0, 'no send was answered: nothing was tried'),
    ],
  };
}

/** The answer to nginx's repeat of a send that the dead node had begun: its hold is not released yet. */
function isStillHeld(seen: Seen): boolean {
  return seen.how === 'refused' && seen.code === 'idempotency_in_progress';
}

/** A careful client repeats unanswered requests under the same keys. */
async function repeatKeyed(url: string, token: string, lines: ClientEntry[]): Promise<void> {
  for (const line of lines) if (line.key !== undefined) await send(url, token, line);
}
