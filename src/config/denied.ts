import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { ConfigError, type Config } from './config.ts';

const READ_ONLY = 'EROFS';
const DENIED = new Set(['EACCES', 'EPERM', READ_ONLY]);
/** SQLite's errors for a file that it may not open or write; they do not name it. */
const DENIED_TO_SQLITE = /^SQLITE_(CANTOPEN|READONLY)/;

/**
 * Explains an error about a file that this user may not use: usually a command runs as another user than the server, or
 * the file system is read-only.
 * @returns undefined for other errors
 */
export async function deniedProblem(
  error: unknown,
  path: string,
): Promise<ConfigError | undefined> {
  if (!DENIED.has(codeOf(error))) return undefined;
  if (codeOf(error) === READ_ONLY) return readOnly(error, path);
  const owner = await ownerOf(path);
  const belongs = owner === undefined ? '' : ` (it belongs to user ${owner})`;
  return new ConfigError(
    `${path}: user ${process.getuid?.() ?? ''} may not use it${belongs}: run this as the user that the server runs as, or give that user the whole data directory with chown -R`,
    { cause: error },
  );
}

/** After disk errors a file system may be mounted read-only; a container may have a read-only one. */
function readOnly(cause: unknown, path: string): ConfigError {
  return new ConfigError(
    `${path}: its file system is read-only: mount it for writing (after errors of the disk, look at that first), or set ZASTAVA_DATA_DIR to a directory that can be written`,
    { cause },
  );
}

/**
 * Does the same for an error that concerns a file of the data directory, by itself or through a cause at any depth.
 * @returns undefined for other errors
 */
export async function dataDirProblem(
  error: unknown,
  { dataDir }: Config,
): Promise<ConfigError | undefined> {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ConfigError && DENIED.has(codeOf(at.cause))) return undefined;
    const { path } = at as NodeJS.ErrnoException;
    const isOurs = path === dataDir || path?.startsWith(dataDir + sep);
    if (path !== undefined && isOurs && DENIED.has(codeOf(at))) return deniedProblem(at, path);
    if (DENIED_TO_SQLITE.test(codeOf(at))) return firstDenied(dataDir);
  }
  return undefined;
}

/** Finds the data directory or an entry of it that this user may not write. */
async function firstDenied(dataDir: string): Promise<ConfigError | undefined> {
  for (const path of [dataDir, ...(await namesIn(dataDir)).map((name) => join(dataDir, name))]) {
    try {
      await access(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      return deniedProblem(error, path);
    }
  }
  return undefined;
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

/** The owner of the file, or of the nearest visible directory above it. */
async function ownerOf(path: string): Promise<number | undefined> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return (await stat(at)).uid;
    } catch {
      if (dirname(at) === at) return undefined;
    }
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? '';
}
