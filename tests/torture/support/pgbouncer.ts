/** PgBouncer between nodes and the database; only where it is installed. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { becomesTrue } from './until.ts';

/** Debian keeps it where only root looks. */
const program =
  Bun.which('pgbouncer') ?? Bun.which('pgbouncer', { PATH: '/usr/sbin:/usr/local/sbin' });
const STARTED_WITHIN_MS = 120_000;

export const pgBouncerIsHere = program !== null;

export interface PgBouncer extends AsyncDisposable {
  /** The database, through it. */
  url: string;
  /** Ends it immediately, and starts it again at the same address. */
  crash(): Promise<void>;
}

/**
 * @param database URL of a database that needs no password
 * @param connections that it opens to the server at most
 */
export async function startPgBouncer(
  database: string,
  mode: 'session' | 'transaction',
  connections: number,
): Promise<PgBouncer> {
  if (program === null) throw new Error('PgBouncer is not installed');
  const command = [program, ...(process.getuid?.() === 0 ? ['--user=nobody'] : [])];
  const directory = await mkdtemp(join(tmpdir(), 'zastava-pgbouncer-'));
  await chmod(directory, 0o755);
  const port = freePort();
  const file = join(directory, 'pgbouncer.ini');
  await Bun.write(file, configOf(port, new URL(database), mode, connections));
  const start = async () => {
    const child = Bun.spawn([...command, file], { stdout: 'ignore', stderr: 'ignore' });
    if (!(await becomesTrue(() => listens(port), STARTED_WITHIN_MS))) {
      throw new Error('PgBouncer does not start');
    }
    return child;
  };
  let child = await start();
  const url = new URL(database);
  url.port = String(port);
  return {
    url: url.href,
    async crash() {
      child.kill('SIGKILL');
      await child.exited;
      child = await start();
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function listens(port: number): Promise<boolean> {
  try {
    (await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } })).end();
    return true;
  } catch {
    return false;
  }
}

function configOf(port: number, database: URL, mode: string, connections: number): string {
  return `
    [databases]
    * = host=${database.hostname} port=${database.port} user=${database.username}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = any
    pool_mode = ${mode}
    default_pool_size = ${connections}
    max_client_conn = 200`.replaceAll(/^ +/gm, '');
}
