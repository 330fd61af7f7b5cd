import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256OfFile } from './checksum.ts';
import { readManifest } from './manifest.ts';

/** Reads all of a release and tells what is not as it was written; empty when all is well. */
export async function findDamage(directory: string, name: string): Promise<string[]> {
  const { files, columns } = readManifest(directory, name);
  const damage: string[] = [];
  for (const { path, bytes, sha256 } of [...files, ...columns]) {
    const full = join(directory, path);
    if (!existsSync(full)) damage.push(`${path} is missing`);
    else if (statSync(full).size !== bytes) damage.push(`${path} has not ${bytes} bytes`);
    else if (sha256OfFile(full) !== sha256) damage.push(`${path} has changed`);
    // Lets others run between two files.
    await Bun.sleep(0);
  }
  return damage;
}
