/** A disk that can be filled and emptied, by the means that this machine allows. */
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readdirSync, statSync } from 'node:fs';

export interface FullableDisk extends AsyncDisposable {
  /** For the data directory. */
  path: string;
  means: 'tmpfs' | 'limit';
  /** From now on nothing more fits. */
  fill(pid: number): Promise<void>;
  /**
   * Frees the space.
   * @param pid undefined if the process has died
   */
  empty(pid: number | undefined): Promise<void>;
}

const TMPFS_MIB = 64;
const FILL_TRIES = 100;
const MIB = 1024 * 1024;
const quiet = { stdout: 'ignore', stderr: 'ignore' } as const;
const run = (...command: string[]): Promise<number> => Bun.spawn(command, quiet).exited;

/** @returns undefined if neither a file system can be mounted nor a limit set */
export async function openFullableDisk(): Promise<FullableDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'zastava-disk-'));
  const remove = () => rm(path, { recursive: true, force: true });
  const mount = ['mount', '-t', 'tmpfs', '-o', `size=${TMPFS_MIB}m`, 'zastava', path];
  if (process.getuid?.() === 0 && (await run(...mount)) === 0) {
    return tmpfs(path, async () => {
      await run('umount', '--lazy', path);
      await remove();
    });
  }
  if (Bun.which('prlimit') !== null) return limited(path, remove);
  await remove();
  return undefined;
}

/** A separate small file system: writes that do not fit get ENOSPC. */
function tmpfs(path: string, dispose: () => Promise<void>): FullableDisk {
  const filler = join(path, 'filler');
  return {
    path,
    means: 'tmpfs',
    async fill() {
      // Another writer may take the space meanwhile: then nothing was filled.
      for (let tries = 0; tries < FILL_TRIES; tries++) {
        const { bavail, bsize } = await statfs(path);
        const length = String(bavail * bsize);
        if (bavail === 0 || (await run('fallocate', '--length', length, filler)) === 0) return;
      }
      throw new Error('the disk could not be filled');
    },
    empty: () => rm(filler, { force: true }),
    [Symbol.asyncDispose]: dispose,
  };
}

/** No file of the process may outgrow the largest existing one: writes that do not fit get EFBIG. */
function limited(path: string, dispose: () => Promise<void>): FullableDisk {
  const largest = () =>
    Math.max(...readdirSync(path).map((name) => statSync(join(path, name)).size), MIB);
  const limit = async (pid: number, bytes: string) => {
    if ((await run('prlimit', '--pid', String(pid), `--fsize=${bytes}:`)) !== 0) {
      throw new Error('prlimit may not set a limit');
    }
  };
  return {
    path,
    means: 'limit',
    fill: (pid) => limit(pid, String(largest())),
    empty: async (pid) => {
      if (pid !== undefined) await limit(pid, 'unlimited');
    },
    [Symbol.asyncDispose]: dispose,
  };
}
