/**
 * Promise R9: sends continue while the disk fails now and then. No delivered answer is lost, no undelivered one is
 * charged, and when the failures end the server recovers by itself.
 */
import { openDatabase, type DatabaseConfig } from '../../../src/db/index.ts';
import { linesOf, unless, type Report, type Run } from '../support/campaign.ts';
import { checkBooks } from '../support/check/check-books.ts';
import { loginAsAdmin, newRoom } from '../support/client.ts';
import { entry, refusedIn, send, type ClientEntry } from '../support/client-log.ts';
import { startLoad } from '../support/load.ts';
import { becomesQuiet } from '../support/quiet.ts';
import { randomFrom } from '../support/random.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { openStand, type Stand } from '../support/stand.ts';
import { becomesTrue } from '../support/until.ts';
import { untilRefused } from '../support/until-refused.ts';

export interface Trouble {
  begin(server: ServerProcess): Promise<void>;
  /** @param server undefined when it has been killed */
  end(server: ServerProcess | undefined): Promise<void>;
}

export interface TroubleSizes extends Record<string, number> {
  rounds: number;
}

const CLIENTS = 20;
const PROVIDER_DELAY_MS = 30;
const BEFORE_MS = 200;
/** Longer than until a send has been refused; shorter than a settle is retried. */
const TROUBLE_MS = { least: 200, most: 1_000 };
const HEALED_WITHIN_MS = 5_000;
/** If time is not judged, the server must recover nevertheless. */
const HEALED_EVER_MS = 60_000;
/** The share of rounds in which the process is killed during the failures. */
const KILLED = 0.3;

/** @param dataDir where the failures are */
export async function runTrouble(
  { seed, sizes, judgeTime }: Run<TroubleSizes>,
  trouble: Trouble,
  dataDir?: string,
): Promise<Report> {
  const random = randomFrom(seed);
  const plan = () => ({ delayMs: random() * PROVIDER_DELAY_MS });
  await using stand = await openStand('sqlite', {
    plan,
    ...(dataDir !== undefined && { dataDir }),
  });
  const log: ClientEntry[] = [];
  let server = await stand.start();
  await stand.fillPurse(server.url);
  const healedMs: number[] = [];
  let kills = 0;
  for (let round = 0; round < sizes.rounds; round++) {
    const isKilled = random() < KILLED;
    kills += isKilled ? 1 : 0;
    server = await oneRound({ stand, server, trouble, log, random, round, isKilled });
    healedMs.push(await healing(server, log, round));
  }
  const quiet = await becomesQuiet(server.url, HEALED_WITHIN_MS);
  const refused = refusedIn(log);
  const { database, provider } = stand;
  const { findings, compared } = await checkBooks({
    database,
    calls: provider.calls,
    log,
    died: kills > 0,
  });
  const slowest = Math.max(...healedMs);
  return {
    figures: { kills, ...compared, refused, slowestHealMs: Math.round(slowest) },
    broken: [
      ...linesOf({ ...findings, integrity: await integrityOf(database) }),
      ...unless(quiet, 'sends were still running long after the trouble'),
      ...unless(refused > 0, 'no send was refused: there was no trouble'),
      ...unless(
        slowest <= (judgeTime ? HEALED_WITHIN_MS : HEALED_EVER_MS),
        `it took ${Math.round(slowest)} ms to heal`,
      ),
    ],
  };
}

interface Round {
  stand: Stand;
  server: ServerProcess;
  trouble: Trouble;
  log: ClientEntry[];
  random: () => number;
  round: number;
  isKilled: boolean;
}

async function oneRound(of: Round): Promise<ServerProcess> {
  const { stand, server, trouble, log, random, round, isKilled } = of;
  const { url } = server;
  const token = await loginAsAdmin(url);
  const roomId = await newRoom(url, token);
  const earlier = log.length;
  const stopLoad = startLoad({
    url: () => url,
    token,
    roomId,
    clients: CLIENTS,
    log,
    random,
    name: `round ${round}`,
  });
  await Bun.sleep(BEFORE_MS);
  await trouble.begin(server);
  await Bun.sleep(TROUBLE_MS.least + random() * (TROUBLE_MS.most - TROUBLE_MS.least));
  const name = `round ${round}`;
  const probes = await untilRefused({ url, token, roomId, log, earlier, name });
  if (isKilled) await server.kill();
  await trouble.end(isKilled ? undefined : server);
  const stopped = stopLoad();
  const next = isKilled ? await stand.start() : server;
  await Promise.all([stopped, ...probes]);
  return next;
}

/** From the end of the failures to the first send that passes; infinite if no send does. */
async function healing({ url }: ServerProcess, log: ClientEntry[], round: number): Promise<number> {
  const start = performance.now();
  let tries = 0;
  let session: { token: string; roomId: string } | undefined;
  const isHealed = await becomesTrue(async () => {
    try {
      const token = session?.token ?? (await loginAsAdmin(url));
      session ??= { token, roomId: await newRoom(url, token) };
    } catch {
      return false;
    }
    const line = entry({ message: `healing ${round}, ${tries++}`, roomId: session.roomId });
    log.push(line);
    return (await send(url, session.token, line)).how === 'answered';
  }, HEALED_EVER_MS);
  return isHealed ? performance.now() - start : Number.POSITIVE_INFINITY;
}

async function integrityOf(database: DatabaseConfig): Promise<string[]> {
  const db = openDatabase(database);
  try {
    const rows = await db.query<{ integrity_check: string }>('PRAGMA integrity_check');
    return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  } finally {
    await db.close();
  }
}
