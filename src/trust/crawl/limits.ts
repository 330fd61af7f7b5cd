/** Every limit of the crawl, with its unit in its name or beside it. Tests hand in smaller numbers. */
export interface CrawlLimits {
  /** Milliseconds between the end of one request to a site and the next request to it. */
  spacingMs: number;
  /** The most that a Crawl-delay of robots.txt can make of it. */
  crawlDelayMsMax: number;
  /** Sites that one node reads from at once, each by one request at a time. */
  sitesAtOnce: number;
  /** Pages that are read of one site, its home page included. */
  perSitePagesMax: number;
  /** Addresses remembered of one site while it is read, for each page that may be read. */
  addressesPerPage: number;
  /** Host names of one site: beyond them, every name may be made up by the server. */
  hostsPerSiteMax: number;
  /** Domains linked to from one site that are stored. */
  acceptorsPerSiteMax: number;
  /** Sites that one site may add to the frontier. */
  newSitesPerSiteMax: number;
  /** Domains in the database. Beyond them, links to other domains are dropped. */
  sitesMax: number;
  /** Links between a seed and a site that is still read. */
  hopsMax: number;
  /** Redirects within a site, from page to page. */
  redirectsMax: number;
  /** Characters of an address that is followed. */
  urlCharactersMax: number;
  /** Tries of a page while the fetcher has no place for it. */
  busyTriesMax: number;
  /** How often a node says that it lives. */
  beatMs: number;
  /** Silence after which a node counts as dead, and its sites go to others. */
  silenceMs: number;
  /** How often a node without work looks for some. */
  pollMs: number;
  /** Age from which a site that was read is read again when it is a seed or linked to. */
  recrawlMs: number;
  /** The same for a site that could not be read. */
  retryMs: number;
  /** Between two reports of progress. */
  progressMs: number;
}

const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600 * SECOND_MS;

export const CRAWL_LIMITS: CrawlLimits = {
  spacingMs: 1 * SECOND_MS,
  crawlDelayMsMax: 30 * SECOND_MS,
  sitesAtOnce: 128,
  perSitePagesMax: 20,
  addressesPerPage: 4,
  hostsPerSiteMax: 20,
  acceptorsPerSiteMax: 20_000,
  newSitesPerSiteMax: 500,
  sitesMax: 50_000_000,
  hopsMax: 16,
  redirectsMax: 5,
  urlCharactersMax: 1_024,
  busyTriesMax: 5,
  beatMs: 5 * SECOND_MS,
  silenceMs: 30 * SECOND_MS,
  pollMs: 1 * SECOND_MS,
  recrawlMs: 30 * DAY_MS,
  retryMs: 1 * DAY_MS,
  progressMs: 500,
};

/** Pages of one run unless the caller says otherwise. */
export const PAGES_DEFAULT = 10_000;
/** Pages of one site that a caller may ask for. */
export const PER_SITE_PAGES_MOST = 10_000;
/** Domains that are given ids in one transaction. */
export const IDS_PER_TRANSACTION = 1_000;
/** Rows read at once when the whole crawl is streamed. */
export const STREAM_ROWS = 5_000;
/** Characters of a graph's text made at once. */
export const TEXT_CHARACTERS = 64 * 1_024;
/** Characters of the name of a node. */
export const NODE_NAME_CHARACTERS_MAX = 200;
/** Seeds of one run. */
export const SEEDS_MAX = 1_000_000;
