import { join } from 'node:path';
import { SettingError, type Config } from './config/index.ts';
import { acquireProcessLock, installationName, type Database } from './db/index.ts';
import type { Clock } from './lib/clock.ts';
import { messageOf } from './lib/errors.ts';
import type { Log } from './lib/log.ts';
import {
  crawl,
  CrawlSightings,
  GraphStore,
  GuardedFetch,
  PageReader,
  Pages,
  parseFetchAllow,
  parseFetchResolve,
  PRODUCT_TOKEN,
  Robots,
  ScoreHistory,
  SeedLists,
  TrustCheck,
  type CrawlOptions,
  type CrawlSummary,
  type FetchEvent,
  watch,
  type WatchOptions,
} from './trust/index.ts';

/** The trust engine: all fetches go through one guard, and the link graph consists of releases. */
export function openTrust(
  config: Config,
  parts: { db: Database; clock: Clock; log: Log } & { pageWaitMs?: number | undefined },
) {
  const { db, clock, log, pageWaitMs } = parts;
  const store = new GraphStore(join(config.dataDir, 'trust'), (error) =>
    log.error({ err: error }, 'the current release of the link graph can not be opened'),
  );
  const fetchListeners: ((event: FetchEvent) => void)[] = [];
  const fetch = new GuardedFetch({
    clock,
    onFetch: (event) => fetchListeners.forEach((listener) => listener(event)),
    // Tells operators of sites who we are.
    ...(config.publicUrl && { userAgent: `${PRODUCT_TOKEN}/1 (+${config.publicUrl})` }),
    allow: setting('ZASTAVA_FETCH_ALLOW', () => parseFetchAllow(config.fetchAllow)),
    resolve: setting('ZASTAVA_FETCH_RESOLVE', () => parseFetchResolve(config.fetchResolve)),
  });
  const reader = new PageReader({ fetch, robots: new Robots({ fetch, clock }), clock });
  const pages = new Pages(db, clock);
  const history = new ScoreHistory(db, clock);
  const sightings = new CrawlSightings(db, clock);
  const check = new TrustCheck({ store, pages, history, reader, sightings, log, pageWaitMs });
  return {
    store,
    fetch,
    reader,
    pages,
    check,
    seeds: new SeedLists(db, clock),
    crawl: (options: Omit<CrawlOptions, 'db' | 'clock' | 'fetch' | 'node'>) =>
      crawlAsNode(config, { db, clock, fetch, ...options }),
    watch: (options: Omit<WatchOptions, 'db' | 'clock' | 'fetch' | 'check'>) =>
      watch({ db, clock, fetch, check, ...options }),
    /** For the server's metrics. */
    onFetch: (listener: (event: FetchEvent) => void) => void fetchListeners.push(listener),
  };
}

/** Concurrent crawls of one data directory. */
const CRAWLS_MAX = 16;

/** Crawls under a name that no other running process has. A later process of this data directory may reuse it. */
async function crawlAsNode(
  { dataDir }: Config,
  options: Omit<CrawlOptions, 'node'>,
): Promise<CrawlSummary> {
  const installation = await installationName(dataDir);
  for (let slot = 0; slot < CRAWLS_MAX; slot++) {
    const lock = acquireProcessLock(join(dataDir, `crawl-${slot}.lock`));
    if (!lock) continue;
    try {
      return await crawl({ ...options, node: `${installation}/${slot}@${lock.place}` });
    } finally {
      lock.release();
    }
  }
  throw new Error(`${CRAWLS_MAX} crawls run from ${dataDir} already: wait for one to end`);
}

function setting<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new SettingError(`${name}: ${messageOf(error)}`, { cause: error });
  }
}
