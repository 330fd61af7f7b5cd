import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { crawlInputs } from './crawl/graph-inputs.ts';
import type { GraphStore } from './graph/graph-store.ts';
import type { ImportProgress } from './graph/import/progress.ts';

/** Name prefix of releases that contain the own crawl; the time follows, 14 digits. */
const CRAWL_PREFIX = 'crawl-';

export interface ReleaseToRankOptions {
  /** A release to rank as it is; undefined: the newest import merged with the crawl. */
  name: string | undefined;
  /** For the buffers of the import that merges the two. */
  memoryMiB?: number;
  onProgress?: (progress: ImportProgress) => void;
}

/**
 * The release to rank. If anything was crawled, makes a new release of the newest import and the crawl; otherwise it is
 * the newest import itself.
 * @throws `not_found` when there is nothing to rank
 */
export async function releaseToRank(
  { store, db, clock }: { store: GraphStore; db: Database; clock: Clock },
  { name, memoryMiB, onProgress }: ReleaseToRankOptions,
): Promise<string> {
  if (name !== undefined) return store.open(name).name;
  // These imports are named by their time, so nobody will ever resume them.
  await store.tidy(isCrawl);
  const releases = await store.list();
  const base = releases.findLast((release) => !isCrawl(release.name))?.name;
  const inputs = await crawlInputs(db, base === undefined ? undefined : store.open(base));
  if (!inputs) {
    if (base !== undefined) return base;
    throw new DomainError(
      'not_found',
      'there is no graph yet: see zastava trust import --help, and zastava trust crawl --help',
    );
  }
  const time = new Date(clock.now()).toISOString().replace(/\D/g, '').slice(0, 14);
  const merged = `${CRAWL_PREFIX}${time}`;
  await store.importGraph({
    name: merged,
    ...inputs,
    ...(memoryMiB !== undefined && { memoryMiB }),
    ...(onProgress && { onProgress }),
  });
  return merged;
}

/** The name of an imported file may begin with the prefix too; its import does not end in 14 digits. */
function isCrawl(name: string): boolean {
  return name.startsWith(CRAWL_PREFIX) && /^\d{14}$/.test(name.slice(CRAWL_PREFIX.length));
}
