/** Work of commands: its modules are loaded when it begins, not at every start of a server. */
import type * as Crawl from './crawl/crawl.ts';
import type * as Rank from './rank-release.ts';
import type * as ToRank from './release-to-rank.ts';

/** See `crawl/crawl.ts`. */
export const crawl: typeof Crawl.crawl = async (...args) =>
  (await import('./crawl/crawl.ts')).crawl(...args);

/** See `rank-release.ts`. */
export const rankRelease: typeof Rank.rankRelease = async (...args) =>
  (await import('./rank-release.ts')).rankRelease(...args);

/** See `release-to-rank.ts`. */
export const releaseToRank: typeof ToRank.releaseToRank = async (...args) =>
  (await import('./release-to-rank.ts')).releaseToRank(...args);
