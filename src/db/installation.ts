import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uuidHex } from '../lib/ids.ts';

/**
 * A random name for this data directory, made once and kept in it. Nodes of several machines may share a
 * database under equal paths; the name tells their data directories apart.
 */
export async function installationName(dataDir: string): Promise<string> {
  const path = join(dataDir, 'installation');
  try {
    await writeFile(path, uuidHex(), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(path, 'utf8');
}
