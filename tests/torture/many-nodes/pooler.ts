/**
 * Promise R10 behind PgBouncer. In transaction mode a node without the setting does not start: another client could run
 * a statement that one client prepared under the same name. With the setting, nodes work through fewer connections than
 * they open, while PgBouncer dies and returns. In session mode no setting is needed.
 */
import { campaign, linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { newRoom } from '../support/client.ts';
import { oddIn, refusedIn, type ClientEntry } from '../support/client-log.ts';
import { startLoad } from '../support/load.ts';
import { pgBouncerIsHere, startPgBouncer } from '../support/pgbouncer.ts';
import { connectionsTo } from '../support/process-facts.ts';
import { holdsAreGone } from '../support/quiet.ts';
import { between, randomFrom } from '../support/random.ts';
import { openStand, type Stand } from '../support/stand.ts';

const NODES = 2;
/** In transaction mode: fewer than the nodes open to PgBouncer. */
const SERVER_CONNECTIONS = 4;
/** In session mode PgBouncer has as many as all nodes together. */
const NODE_CONNECTIONS = 3;
const CLIENTS = 15;
const PROVIDER_DELAY_MS = 40;
const UP_MS = { least: 300, most: 1_200 };
const SWEPT_WITHIN_MS = 60_000;
/** The required log line of a node without the setting. */
const REFUSAL = 'ZASTAVA_DATABASE_POOLING=transaction';

export const pooler = campaign({
  name: 'pooler',
  promise: 'R10',
  title: 'PgBouncer between nodes and database loses and doubles nothing',
  full: { stops: 20 },
  small: { stops: 1 },
  dialects: ['postgres'],
  run: runPooler,
});

interface Trial {
  stand: Stand;
  /** The address of the database. */
  url: string;
  stops: number;
  random: () => number;
  log: ClientEntry[];
  broken: string[];
}

async function runPooler({ seed, sizes }: Run<{ stops: number }>): Promise<Report> {
  if (!pgBouncerIsHere)
    return { figures: {}, broken: [], notPossible: 'PgBouncer is not installed' };
  const random = randomFrom(seed);
  const plan = () => ({ delayMs: random() * PROVIDER_DELAY_MS });
  await using stand = await openStand('postgres', { plan });
  if (stand.database.kind !== 'postgres') throw new Error('this is about PostgreSQL');
  const { url } = stand.database;
  const trial: Trial = { stand, url, stops: sizes.stops, random, log: [], broken: [] };
  const connections = await byTransaction(trial);
  await bySession(trial);
  const { log, broken } = trial;
  const { findings, compared } = await checkBooks({
    database: stand.database,
    calls: stand.provider.calls,
    log,
    died: false,
  });
  const refused = refusedIn(log);
  return {
    figures: { ...compared, refused, connections },
    broken: [
      ...broken,
      ...linesOf({ ...findings, odd: oddIn(log) }),
      ...unless(compared.answered > 0, 'no send was answered: nothing was tried'),
    ],
  };
}

/** @returns the most connections that PgBouncer had to the server */
async function byTransaction(trial: Trial): Promise<number | undefined> {
  const { stand, url, stops, random, broken } = trial;
  const port = Number(new URL(url).port);
  const others = connectionsTo(port) ?? 0;
  await using bouncer = await startPgBouncer(url, 'transaction', SERVER_CONNECTIONS);
  const refusal = await stand.start(0, { env: { ZASTAVA_DATABASE_URL: bouncer.url } }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  broken.push(...unless(refusal.includes(REFUSAL), `a node without the setting: ${refusal}`));
  let most: number | undefined;
  const env = { ZASTAVA_DATABASE_URL: bouncer.url, ZASTAVA_DATABASE_POOLING: 'transaction' };
  await underLoad(trial, 'transaction', env, async () => {
    for (let stop = 0; stop < stops; stop++) {
      await Bun.sleep(between(UP_MS.least, UP_MS.most, random));
      const now = connectionsTo(port);
      if (now !== undefined) most = Math.max(most ?? 0, now - others);
      await bouncer.crash();
    }
    await Bun.sleep(UP_MS.most);
  });
  const isWithin = (most ?? 0) <= SERVER_CONNECTIONS;
  broken.push(...unless(isWithin, `${most} connections to the server, not ${SERVER_CONNECTIONS}`));
  return most;
}

async function bySession(trial: Trial): Promise<void> {
  await using bouncer = await startPgBouncer(trial.url, 'session', NODES * NODE_CONNECTIONS);
  const env = {
    ZASTAVA_DATABASE_URL: bouncer.url,
    ZASTAVA_DATABASE_CONNECTIONS: String(NODE_CONNECTIONS),
  };
  await underLoad(trial, 'session', env, () => Bun.sleep(UP_MS.most));
}

/** Sends through all nodes while `work` runs, and ends the nodes after they have cleared up. */
async function underLoad(
  { stand, random, log, broken }: Trial,
  name: string,
  env: Record<string, string>,
  work: () => Promise<void>,
): Promise<void> {
  const nodes = [];
  for (let node = 0; node < NODES; node++) nodes.push(await stand.start(node, { env }));
  const token = await stand.fillPurse(nodes[0]?.url ?? '');
  const roomId = await newRoom(nodes[0]?.url ?? '', token);
  const stops = nodes.map(({ url }, node) =>
    startLoad({
      url: () => url,
      token,
      roomId,
      clients: CLIENTS,
      log,
      random,
      name: `${name}, node ${node}`,
    }),
  );
  await work();
  await Promise.all(stops.map((stop) => stop()));
  const swept = await holdsAreGone(stand, SWEPT_WITHIN_MS);
  broken.push(...unless(swept, `holds were left behind in ${name} mode`));
  for (const node of nodes) await node.stop();
}
