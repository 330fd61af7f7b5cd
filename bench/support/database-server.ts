import { readdirSync, readFileSync } from 'node:fs';
import { SQL } from 'bun';
import { startPostgres } from '../../tests/support/postgres.ts';
import { canPin, PEER_CORE } from './processes.ts';

/** A PostgreSQL that never loses what it acknowledged, as an operator would run it. */
export interface DatabaseServer extends AsyncDisposable {
  /** Its first process; all others are below it. */
  pid: number;
  /** An empty database. @returns its URL */
  create(database: string): Promise<string>;
}

const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };
const settings = { ...durable, shared_buffers: '512MB', max_wal_size: '4GB' };

/** Starts one on the core that the gateways do not use. @param isPinned false: on any core */
export async function startDatabaseServer(isPinned = true): Promise<DatabaseServer> {
  const server = await startPostgres(settings);
  const sql = new SQL(server.urlOf('postgres'), { max: 1 });
  const [row] = (await sql`SELECT pg_backend_pid() AS pid`) as { pid: number }[];
  const pid = parentOf(row?.pid ?? 0);
  if (isPinned) pinAll(pid);
  return {
    pid,
    async create(database) {
      await sql.unsafe(`CREATE DATABASE ${database}`);
      return server.urlOf(database);
    },
    async [Symbol.asyncDispose]() {
      await sql.close();
      await server.stop();
    },
  };
}

/** The process that started this one, e.g. the server of a PostgreSQL backend. */
export function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Processes that it starts later stay on the same core. */
function pinAll(pid: number): void {
  if (!canPin) return;
  const isBelow = (other: string): boolean => /^\d+$/.test(other) && isChild(Number(other), pid);
  for (const one of [String(pid), ...readdirSync('/proc').filter(isBelow)]) {
    Bun.spawnSync(['taskset', '-a', '-p', '-c', String(PEER_CORE), one]);
  }
}

function isChild(pid: number, parent: number): boolean {
  try {
    return parentOf(pid) === parent;
  } catch {
    // It has ended.
    return false;
  }
}
