/**
 * Runs the tests with the runtime of this checkout.
 * Usage: test.ts [patterns and flags of bun test]; without any, everything in tests.
 */
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { POSTGRES_FOLDER } from '../tests/support/postgres.ts';
import { compile, installedFile } from './compile.ts';
import { slowTests, USUAL_TEST_S } from './slow-tests.ts';

/** Ends a test that hangs. A busy machine may be ten times slower than an idle one. */
const TEST_TIMEOUT_MS = 300_000;
/** Each process has its own PostgreSQL and Chromium, so more processes cost memory. */
const PROCESSES_MAX = 4;
/** A file system in memory, on Linux. Thousands of test databases on a disk would take most of the tests' time. */
const MEMORY = '/dev/shm';
const MEMORY_FREE_BYTES_MIN = 4 * 1024 ** 3;
const SERVERS_END_MS_MAX = 10_000;
const LOOK_MS = 50;
const RETRIES_MAX = 10;

const root = resolve(import.meta.dir, '..');

/** Makes a folder for temporary files. A database server that runs as another user must reach its own folder in it. */
async function makeScratch(): Promise<string> {
  const folder = await mkdtemp(
    join((await isRoomInMemory()) ? MEMORY : tmpdir(), 'zastava-tests-'),
  );
  await chmod(folder, 0o1777);
  return folder;
}

async function isRoomInMemory(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= MEMORY_FREE_BYTES_MIN;
  } catch {
    return false;
  }
}

/** Waits until the databases of ended processes are gone: each server has a watchdog that stops it and removes its folder. */
async function serversEnd(folder: string): Promise<void> {
  const ends = Date.now() + SERVERS_END_MS_MAX;
  while ((await readdir(folder)).some(isServers) && Date.now() < ends) await Bun.sleep(LOOK_MS);
}

function isServers(name: string): boolean {
  return name.startsWith(POSTGRES_FOLDER);
}

/** @returns a file in the form of `bun test --timings`. Files that are not in it would start before all others */
async function timings(folder: string): Promise<string> {
  const files: Record<string, number> = {};
  for await (const file of new Bun.Glob('tests/**/*.test.ts').scan(root)) {
    files[file] = (slowTests[file] ?? USUAL_TEST_S) * 1_000;
  }
  const path = join(folder, 'timings.json');
  await Bun.write(path, JSON.stringify({ version: 1, files }));
  return path;
}

const given = process.argv.slice(2);
// The tests start the product hundreds of times; from its sources that takes three times the work. Without an
// executable, or with one older than its sources, bin/zastava runs the sources.
if (given.length === 0) await compile(installedFile);
// One more than cores: tests also wait, for servers, password hashes and each other.
const processes = Math.min(availableParallelism() + 1, PROCESSES_MAX);
const scratch = await makeScratch();
const tests = Bun.spawn(
  [
    process.execPath,
    'test',
    `--timeout=${TEST_TIMEOUT_MS}`,
    // Files of one process share its globals, so that it starts one PostgreSQL and one Chromium for all of them.
    ...(given.length > 0
      ? given
      : [
          `--parallel=${processes}`,
          '--no-isolate',
          `--timings=${await timings(scratch)}`,
          './tests',
        ]),
  ],
  {
    cwd: root,
    env: { ...process.env, TMPDIR: scratch },
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
  },
);
// The folder is also removed if the tests are stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
const code = await tests.exited;
await serversEnd(scratch);
// A browser that is about to end may still write.
await rm(scratch, { recursive: true, force: true, maxRetries: RETRIES_MAX });
process.exit(code);
