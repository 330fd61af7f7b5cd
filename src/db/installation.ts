import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOnce, replaceFile } from '../lib/durable-file.ts';
import { uuidHex } from '../lib/ids.ts';

/**
 * A random name for this data directory, made once and kept in it. Nodes of several machines may share a
 * database under equal paths; the name tells their data directories apart.
 */
export async function installationName(dataDir: string): Promise<string> {
  const path = join(dataDir, 'installation');
  const made = (await nameIn(path)) ?? (await makeName(path));
  // A full disk had left the file without a byte; without a name, two such directories would be taken for one.
  if (made === '') await replaceFile(path, uuidHex(), { mode: 0o600 });
  return made || readFile(path, 'utf8');
}

/** Several processes that do this at the same time all get the same name. */
async function makeName(path: string): Promise<string> {
  await createOnce(path, uuidHex());
  return readFile(path, 'utf8');
}

async function nameIn(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
