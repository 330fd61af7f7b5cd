export { TrustCheck, type CheckOptions } from './check.ts';
export { crawl } from './crawl/crawl.ts';
export { crawlNeighbours } from './crawl/edges.ts';
export {
  crawlInputs,
  mergedInputs,
  releaseInputs,
  type GraphInputs,
} from './crawl/graph-inputs.ts';
export type { CrawlOptions, CrawlProgress, CrawlSummary } from './crawl/options.ts';
export { parseCrawlSeeds } from './crawl/seeds.ts';
export { GraphStore } from './graph/graph-store.ts';
export type { Site } from './identity.ts';
export { GuardedFetch, type FetchEvent } from './page/guarded-fetch.ts';
export { PageReader } from './page/page-reader.ts';
export { Robots } from './page/robots.ts';
export { parseFetchAllow, parseFetchResolve } from './page/settings.ts';
export { legacyTitle } from './page/title.ts';
export { Pages } from './pages.ts';
export { rankRelease, type RankReport } from './rank-release.ts';
export { trustRecordJson } from './record-json.ts';
export type { HistoryPoint, TrustRecord } from './record.ts';
export { ScoreHistory } from './score-history.ts';
export { SeedLists, type SeedKind } from './seeds.ts';
