import { open } from 'node:fs/promises';

/** What file systems say that know no second name for a file. */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** Whether `link` failed since this file system has no links, and not for the names that it was given. */
export function hasNoLinks(error: unknown): boolean {
  return NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Waits until the names in a directory have reached the disk: those of new files, and that removed ones are gone. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
