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
  let name = await nameIn(path);
  if (name === undefined) {
    // All processes that do this at the same time get the same name.
    await createOnce(path, uuidHex());
    name = await readFile(path, 'utf8');
  }
  // A full disk may have left an empty file. Two directories with empty names would be taken for the same one.
  if (name === '') await replaceFile(path, uuidHex(), { mode: 0o600 });
  return name || readFile(path, 'utf8');
}

async function nameIn(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
