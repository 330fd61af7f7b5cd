import { chmod, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomHex } from '../lib/ids.ts';
import { ConfigError, type Config } from './config.ts';

const SECRET_MIN_BYTES = 32;

/**
 * The secret that signs tokens and cookies and seals provider keys: from ZASTAVA_SECRET, or else generated
 * once into the data directory, readable by its owner only.
 * @throws ConfigError when it is shorter than 32 bytes, or absent with PostgreSQL, whose nodes must share it
 */
export async function readSecret(config: Config): Promise<Uint8Array> {
  const given = config.env['ZASTAVA_SECRET'];
  if (given) return checked(given, 'ZASTAVA_SECRET');
  if (config.database.kind === 'postgres') {
    throw new ConfigError(
      'ZASTAVA_SECRET: must be set with a postgres:// database, since all nodes share it; make one with: openssl rand -hex 32',
    );
  }
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const path = join(config.dataDir, 'secret');
  return checked((await createOnce(path)) ?? (await readFile(path, 'utf8')), path);
}

/**
 * The other secret that is accepted while the secret is being changed: ZASTAVA_SECRET_PREVIOUS, if it is set.
 * @throws ConfigError when it is shorter than 32 bytes
 */
export function readPreviousSecret(config: Config): Uint8Array | undefined {
  const given = config.env['ZASTAVA_SECRET_PREVIOUS'];
  return given ? checked(given, 'ZASTAVA_SECRET_PREVIOUS') : undefined;
}

/** Undefined when the file is already there, also when another process has just made it. */
async function createOnce(path: string): Promise<string | undefined> {
  const secret = randomHex(SECRET_MIN_BYTES);
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(`${secret}\n`);
    await file.sync();
    await file.close();
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await chmod(path, 0o600);
    return undefined;
  }
}

function checked(secret: string, where: string): Uint8Array {
  const bytes = new TextEncoder().encode(secret.trim());
  if (bytes.length < SECRET_MIN_BYTES) {
    throw new ConfigError(
      `${where}: must have at least ${SECRET_MIN_BYTES} bytes; make one with: openssl rand -hex 32`,
    );
  }
  return bytes;
}
