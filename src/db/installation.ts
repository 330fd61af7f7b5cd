import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOnce, replaceFile } from '../lib/durable-file.ts';
import { uuidHex } from '../lib/ids.ts';

/**
 * Returns the random name of this data directory, which is created once and stored in it. Nodes on several machines may
 * share a database and use the same paths; the name distinguishes their data directories.
 */
export async function installationName(dataDir: string): Promise<string> {
  const path = join(dataDir, 'installation');
  const made = (await nameIn(path)) ?? (await makeName(path));
  // A full disk may have left an empty file. Two directories with an empty name would be taken for one.
  if (made === '') await replaceFile(path, uuidHex(), { mode: 0o600 });
  return made || readFile(path, 'utf8');
}

/** All processes that run this at the same time get the same name. */
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
