import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { ConfigError, type Config } from './config.ts';

const READ_ONLY = 'EROFS';
const DENIED = new Set(['EACCES', 'EPERM', READ_ONLY]);
/** What SQLite says of a file that it may not open or write, without naming it. */
const DENIED_TO_SQLITE = /^SQLITE_(CANTOPEN|READONLY)/;

/**
 * What to do about a file that this user may not use: mostly a command was run as another user than the server, or the
 * file system is read-only.
 * @returns undefined when the error is of another kind
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

/** A read-only file system: a disk that had errors is mounted again like that, and a container may have one. */
function readOnly(cause: unknown, path: string): ConfigError {
  return new ConfigError(
    `${path}: its file system is read-only: mount it for writing (after errors of the disk, look at that first), or set ZASTAVA_DATA_DIR to a directory that can be written`,
    { cause },
  );
}

/**
 * The same for an error, or a cause of it at any depth, that is about a file of the data directory.
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

/** The data directory, or what lies right in it, if this user may not write it. */
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

/** The owner of the file, or of the nearest directory above it that can be seen. */
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
