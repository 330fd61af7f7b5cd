import { join } from 'node:path';
import type { LoadPlan, LoadResult } from './load-client.ts';
import { coreBusyMs } from './machine.ts';
import { cpuMs, GATEWAY_CORE, PEER_CORE, runJson } from './processes.ts';
import type { Target } from './target.ts';

const CLIENT = join(import.meta.dir, 'load-client.ts');
const MS_PER_S = 1000;

export interface Load {
  connections: number;
  warmUpMs: number;
  measureMs: number;
  /** Stop after this many answers. */
  count?: number;
  /** Sends a second of all connections; by default as many as are answered. */
  perSecond?: number;
  /** The generator may use all cores. */
  isFree?: boolean;
  /** At that rate, however long the answers take. */
  isOpen?: boolean;
  /** Each connection sends its share of all requests in turn, instead of repeating one of them. */
  inTurn?: boolean;
}

export interface Measured extends LoadResult {
  perSecond: number;
  /** The gateway's processor time an answer, user and system, microseconds. */
  cpuMicros: number | undefined;
  /** The same for its database server. */
  databaseMicros: number | undefined;
  /** The share of the peers' core that was in use, by whatever process: near 1, the peers limit the measurement. */
  peersBusy: number | undefined;
  /** The share of the gateway's core that other processes took. */
  disturbed: number | undefined;
}

const COUNT_MAX = 4_000_000;

/** Puts load on a target and measures both ends. @throws if an answer was not 200 */
export async function load(target: Target, options: Load): Promise<Measured> {
  const { hostname, port } = new URL(target.url);
  const { warmUpMs, measureMs, count = COUNT_MAX, inTurn = false } = options;
  const connections = Math.min(options.connections, target.connectionsMax ?? Infinity);
  const { requests: all } = target;
  if (all.length === 0) throw new Error(`${target.name} has no requests`);
  const requests = Array.from({ length: connections }, (_, connection) =>
    inTurn
      ? all.filter((_text, index) => index % connections === connection)
      : all.slice(connection % all.length, (connection % all.length) + 1),
  );
  const plan: LoadPlan = {
    host: hostname,
    port: Number(port),
    requests,
    warmUpMs,
    measureMs,
    count,
    perSecond: options.perSecond ?? null,
    isOpen: options.isOpen ?? false,
  };
  const database = (): number | undefined =>
    target.databasePid === undefined ? undefined : cpuMs(target.databasePid);
  const before = {
    at: performance.now(),
    cpu: cpuOf(target),
    busy: coreBusyMs(),
    database: database(),
  };
  const result = (await runJson(
    options.isFree ? undefined : PEER_CORE,
    [process.execPath, CLIENT],
    plan,
  )) as LoadResult;
  const elapsed = performance.now() - before.at;
  if (result.failure !== null) throw new Error(`${target.name}: ${result.failure}`);
  const used = difference(cpuOf(target), before.cpu);
  const busy = coreBusyMs().map((ms, core) => ms - (before.busy[core] ?? 0));
  const gatewayCore = busy[GATEWAY_CORE];
  const peersCore = busy[PEER_CORE];
  return {
    ...result,
    perSecond: result.answers / result.seconds,
    cpuMicros: microsOf(used, result),
    databaseMicros: microsOf(difference(database(), before.database), result),
    peersBusy: peersCore === undefined ? undefined : peersCore / elapsed,
    disturbed:
      used === undefined || gatewayCore === undefined
        ? undefined
        : Math.max(0, (gatewayCore - used) / elapsed),
  };
}

function microsOf(ms: number | undefined, { answersInAll }: LoadResult): number | undefined {
  return ms === undefined ? undefined : (ms * MS_PER_S) / answersInAll;
}

function cpuOf(target: Target): number | undefined {
  return target.pid === undefined ? undefined : cpuMs(target.pid);
}

function difference(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before;
}
