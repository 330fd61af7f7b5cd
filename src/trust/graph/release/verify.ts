import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../../../lib/errors.ts';
import { sha256OfFile } from '../files.ts';
import { readManifest, type Manifest, type ReleaseFile } from './manifest.ts';

/** Compares all files of a release with their checksums. Returns what is wrong; empty when nothing is. */
export async function findDamage(directory: string, name: string): Promise<string[]> {
  const damage: string[] = [];
  for (const file of filesOf(readManifest(directory, name))) {
    const full = join(directory, file.path);
    const wrongSize = sizeDamage(directory, file);
    if (wrongSize !== undefined) damage.push(wrongSize);
    else if (sha256OfFile(full) !== file.sha256) damage.push(`${file.path} has changed`);
    // Lets other work run between two files.
    await Bun.sleep(0);
  }
  return damage;
}

/** Compares only the sizes, which finds what an interrupted copy or a full disk leaves. */
export function findWrongSizes(directory: string, manifest: Manifest): string[] {
  return filesOf(manifest).flatMap((file) => sizeDamage(directory, file) ?? []);
}

export function damaged(name: string, damage: string): DomainError {
  return new DomainError(
    'invalid_request',
    `release ${name} is damaged: ${damage}; copy its directory again, or import it again`,
  );
}

/** Total size of a release in bytes. */
export function sizeOf(manifest: Manifest): number {
  return filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
}

function filesOf({ files, columns }: Manifest): ReleaseFile[] {
  return [...files, ...columns];
}

function sizeDamage(directory: string, { path, bytes }: ReleaseFile): string | undefined {
  const stats = statSync(join(directory, path), { throwIfNoEntry: false });
  if (!stats) return `${path} is missing`;
  return stats.size === bytes ? undefined : `${path} does not have ${bytes} bytes`;
}
