export { TrustCheck, type CheckOptions } from './check.ts';
export { CrawlSightings } from './crawl-sightings.ts';
export type { CrawlOptions, CrawlProgress, CrawlSummary } from './crawl/options.ts';
export { GraphStore, releaseNamePattern, type ReleaseView } from './graph/graph-store.ts';
export { guardedInput } from './guarded-input.ts';
export type { GraphInput } from './graph/import/input.ts';
export type { LeftOut } from './graph/release/manifest.ts';
export { suffixReadings, type Site, type SuffixReading } from './identity.ts';
export { listFormats, type ListFormat } from './lists/formats.ts';
export type { ListedSites } from './lists/sites.ts';
export { askJobs, openJobSocket } from './jobs/job-socket.ts';
export { jobStates, TrustJobs, type TrustJob, type TrustJobBook } from './jobs/trust-jobs.ts';
export { trustJobView, type TrustJobView } from './jobs/view.ts';
export { trustWorkKinds, type TrustWork } from './jobs/work.ts';
export { GuardedFetch, PRODUCT_TOKEN, type FetchEvent } from './page/guarded-fetch.ts';
export { PageReader } from './page/page-reader.ts';
export { Robots } from './page/robots.ts';
export { parseFetchAllow, parseFetchResolve } from './page/settings.ts';
export { legacyTitle } from './page/title.ts';
export { Pages } from './pages.ts';
export type { ColourChange, RankingDiff } from './diff/diff-rankings.ts';
export type { MovedTerm } from './diff/moved-terms.ts';
export { scoresBefore, type ScoresBefore } from './diff/scores-before.ts';
export {
  crawl,
  diffRankings,
  rankRelease,
  releaseToRank,
  useReleases,
  watch,
} from './loaded-late.ts';
export type { RankReport } from './rank-release.ts';
export { reasonCodes } from './score/verdict.ts';
export { pointsOfXt, type HistoryPoint, type TrustRecord } from './record.ts';
export { trustRecordJson } from './record-json.ts';
export { ScoreHistory } from './score-history.ts';
export {
  parseCrawlSeeds,
  seedKinds,
  SeedLists,
  type Seed,
  type SeedKind,
  type SeedSource,
} from './seeds.ts';
export type { WatchOptions } from './watch/watch.ts';
export {
  colourWords,
  diffWords,
  languages,
  trustWords,
  type Language,
  type TrustPart,
  type TrustWords,
} from './words/index.ts';
