/** All limits of the crawl; tests use smaller ones. */
export interface CrawlLimits {
  /** Milliseconds from the end of one request to a site to the start of the next. */
  spacingMs: number;
  /** The longest spacing that a Crawl-delay in robots.txt can set. */
  crawlDelayMsMax: number;
  /** Sites that one node reads concurrently, one request at a time each. */
  sitesAtOnce: number;
  /** Pages read per site, including the home page. */
  perSitePagesMax: number;
  /** Addresses kept of a site while it is read, per page that may be read. */
  addressesPerPage: number;
  /** Host names followed per site, since a server can invent names without end. */
  hostsPerSiteMax: number;
  /** Stored link targets per site. */
  acceptorsPerSiteMax: number;
  /** Sites that one site may add to the frontier in a round. */
  newSitesPerSiteMax: number;
  /** Domains in the database; links to further ones are dropped. */
  sitesMax: number;
  /** Distance from a seed, in links, up to which sites are read. */
  hopsMax: number;
  /** Redirects within a site, from page to page. */
  redirectsMax: number;
  /** Length of an address that is followed. */
  urlCharactersMax: number;
  /** Attempts at a page while the fetcher is busy. */
  busyAttemptsMax: number;
  /** How often a node renews its lease. */
  beatMs: number;
  /** Silence after which a node counts as dead and its sites go to others. */
  silenceMs: number;
  /** How often an idle node looks for work. */
  pollMs: number;
  /** Age after which a site that was read is read again if it is a seed or linked to. */
  recrawlMs: number;
  /** The same for a site that could not be read. */
  retryMs: number;
  /** The shortest time between two progress reports. */
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
  busyAttemptsMax: 5,
  beatMs: 5 * SECOND_MS,
  silenceMs: 30 * SECOND_MS,
  pollMs: 1 * SECOND_MS,
  recrawlMs: 30 * DAY_MS,
  retryMs: 1 * DAY_MS,
  progressMs: 500,
};

/** Default number of pages of one run. */
export const PAGES_DEFAULT = 10_000;
/** The largest permitted `perSitePagesMax`. */
export const PER_SITE_PAGES_LIMIT = 10_000;
/** Domains that get ids in one transaction. */
export const IDS_PER_TRANSACTION = 1_000;
/** Rows per query when the whole crawl is streamed. */
export const STREAM_ROWS = 5_000;
/** Characters per chunk of a graph's text. */
export const TEXT_CHARACTERS = 64 * 1_024;
/** Characters of a node's name. */
export const NODE_NAME_CHARACTERS_MAX = 200;
/** Seeds of one run. */
export const SEEDS_MAX = 1_000_000;
