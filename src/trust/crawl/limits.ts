const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600 * SECOND_MS;

/** All limits of the crawl; tests use smaller ones. */
export const CRAWL_LIMITS = {
  /** Milliseconds from the end of one request to a site to the start of the next. */
  spacingMs: 1 * SECOND_MS,
  /** The longest spacing that a Crawl-delay in robots.txt can set. */
  crawlDelayMsMax: 30 * SECOND_MS,
  /** Sites that one node reads concurrently, one request at a time each. */
  sitesAtOnce: 128,
  /** Pages read per site, including the home page. */
  perSitePagesMax: 20,
  /** URLs of a site that are kept while it is read, for each page that may be read. */
  addressesPerPage: 4,
  /** Host names followed per site, since a server can invent names without end. */
  hostsPerSiteMax: 20,
  /** Stored link targets per site. */
  acceptorsPerSiteMax: 20_000,
  /** Sites that one site may add to the frontier in a round. */
  newSitesPerSiteMax: 500,
  /** Domains in the database; links to further ones are dropped. */
  sitesMax: 50_000_000,
  /** Distance from a seed, in links, up to which sites are read. */
  hopsMax: 16,
  /** Redirects within a site, from page to page. */
  redirectsMax: 5,
  /** Length of an address that is followed. */
  urlCharactersMax: 1_024,
  /** Attempts at a page while the fetcher is busy. */
  busyAttemptsMax: 5,
  /** How often a node renews its lease. */
  beatMs: 5 * SECOND_MS,
  /** Silence after which a node counts as dead and its sites go to others. */
  silenceMs: 30 * SECOND_MS,
  /** How often an idle node looks for work. */
  pollMs: 1 * SECOND_MS,
  /** Age after which a site that was read is read again if it is a seed or linked to. */
  recrawlMs: 30 * DAY_MS,
  /** The same for a site that could not be read. */
  retryMs: 1 * DAY_MS,
  /** The shortest time between two progress reports. */
  progressMs: 500,
};
export type CrawlLimits = typeof CRAWL_LIMITS;

/** Default number of pages of one run. */
export const PAGES_DEFAULT = 10_000;
