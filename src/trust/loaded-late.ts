/** Work of commands: its modules are loaded when it begins, not whenever a server starts. */
import type * as Use from './base/use-releases.ts';
import type * as Crawl from './crawl/crawl.ts';
import type * as Diff from './diff/diff-rankings.ts';
import type * as Rank from './rank-release.ts';
import type * as Watch from './watch/watch.ts';

export const crawl: typeof Crawl.crawl = async (...args) =>
  (await import('./crawl/crawl.ts')).crawl(...args);

export const diffRankings: typeof Diff.diffRankings = async (...args) =>
  (await import('./diff/diff-rankings.ts')).diffRankings(...args);

export const rankRelease: typeof Rank.rankRelease = async (...args) =>
  (await import('./rank-release.ts')).rankRelease(...args);

export const releaseToRank: typeof Rank.releaseToRank = async (...args) =>
  (await import('./rank-release.ts')).releaseToRank(...args);

export const watch: typeof Watch.watch = async (...args) =>
  (await import('./watch/watch.ts')).watch(...args);

export const useReleases: typeof Use.useReleases = async (...args) =>
  (await import('./base/use-releases.ts')).useReleases(...args);
