import { chmod, stat, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { createOnce } from '../lib/durable-file.ts';
import { messageOf } from '../lib/errors.ts';
import { randomHex } from '../lib/ids.ts';
import type { Config } from './config.ts';
import { ConfigError, SettingError } from './errors.ts';
import { deniedProblem } from './data-dir.ts';

const SECRET_BYTES_MIN = 32;
const MAKE_ONE = 'make one with: openssl rand -hex 32';

/** The server's secret: it signs tokens and cookies, and seals provider keys. */
export interface GivenSecret {
  bytes: Uint8Array<ArrayBuffer>;
  /** For messages: the setting, or the path of the file that contains it. */
  where: string;
}

/** The path of the secret that was generated for a data directory. */
export function secretFile({ dataDir }: Config): string {
  return join(dataDir, 'secret');
}

/**
 * Reads the secret of this process: ZASTAVA_SECRET or, with SQLite, the file in the data directory.
 * @returns undefined if there is neither
 * @throws ConfigError if it is shorter than 32 bytes, can't be read, or is not set with PostgreSQL, whose nodes must
 * share it
 */
export async function findSecret(config: Config): Promise<GivenSecret | undefined> {
  const given = config.env['ZASTAVA_SECRET'];
  if (given) return checked(given, 'ZASTAVA_SECRET');
  if (config.database.kind === 'postgres') {
    throw new SettingError(
      `ZASTAVA_SECRET: must be set with a postgres:// database, since all nodes share it; ${MAKE_ONE}`,
    );
  }
  return readFileOf(config);
}

/**
 * Reads the secret in the data directory, or generates it, readable only by its owner. Concurrent processes all get the
 * same one.
 * @throws ConfigError that names the file if it can't be written or read
 */
export async function makeSecret(config: Config): Promise<GivenSecret> {
  const path = secretFile(config);
  try {
    await createOnce(path, `${randomHex(SECRET_BYTES_MIN)}\n`);
  } catch (error) {
    throw (await deniedProblem(error, path)) ?? notWritten(path, error);
  }
  const made = await readFileOf(config);
  if (!made) throw new ConfigError(`${path}: was removed while it was created: start again`);
  return made;
}

/**
 * Reads ZASTAVA_SECRET_PREVIOUS, which is also accepted while the secret is being changed.
 * @throws ConfigError if it is shorter than 32 bytes
 */
export function readPreviousSecret({ env }: Config): Uint8Array<ArrayBuffer> | undefined {
  const given = env['ZASTAVA_SECRET_PREVIOUS'];
  return given ? checked(given, 'ZASTAVA_SECRET_PREVIOUS').bytes : undefined;
}

async function readFileOf(config: Config): Promise<GivenSecret | undefined> {
  const path = secretFile(config);
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) await chmod(path, 0o600);
    return checked(await readFile(path, 'utf8'), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof ConfigError) throw error;
    const problem = `${path}: can't be read: ${messageOf(error)}`;
    throw (await deniedProblem(error, path)) ?? new ConfigError(problem, { cause: error });
  }
}

function notWritten(path: string, error: unknown): ConfigError {
  return new ConfigError(
    `${path}: can't be written: ${messageOf(error)}; make room for it, or set ZASTAVA_SECRET`,
    { cause: error },
  );
}

function checked(secret: string, where: string): GivenSecret {
  const bytes = new TextEncoder().encode(secret.trim());
  if (bytes.length >= SECRET_BYTES_MIN) return { bytes, where };
  const isEmptyFile = bytes.length === 0 && isAbsolute(where);
  throw new SettingError(
    isEmptyFile
      ? `${where}: is empty, usually since a disk was full: restore it from a copy; if it never held a secret, remove it, and a new one is made`
      : `${where}: must have at least ${SECRET_BYTES_MIN} bytes; ${MAKE_ONE}`,
  );
}
