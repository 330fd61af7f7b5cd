/** All limits of fetching and reading pages. */

export const KIB = 1_024;
export const MIB = 1_024 * KIB;

/** Limits of fetching; tests use smaller ones. */
export const FETCH_LIMITS = {
  /** For resolving the name of one hop, and again for connecting with the TLS handshake. */
  connectTimeoutMs: 5_000,
  /** From sending the request of one hop to receiving the whole header. */
  headersTimeoutMs: 10_000,
  /** For the whole fetch: waiting for a slot, every hop, the body. */
  totalTimeoutMs: 20_000,
  /** Within each window of this length… */
  throughputWindowMs: 5_000,
  /** …a body must bring at least this much. */
  throughputBytesMin: 5 * KIB,
  /** Of the response header on the wire. */
  headerBytesMax: 32 * KIB,
  /** Of a body on the wire; the rest is not read. */
  wireBytesMax: 2 * MIB,
  /** Of a decompressed body; the rest is not read. */
  decodedBytesMax: 8 * MIB,
  /** Decompressed bytes per compressed byte; more is a decompression bomb. */
  ratioMax: 100,
  /** The ratio is checked from this many decompressed bytes: a short page of spaces is not a bomb. */
  ratioFromBytes: 1 * MIB,
  redirectsMax: 5,
  urlCharactersMax: 4 * KIB,
  /** Addresses of one name that are attempted. */
  addressesMax: 8,
  /** Ports that may be reached without `ZASTAVA_FETCH_ALLOW`. */
  ports: [80, 443] as readonly number[],
  /** Concurrent requests of this process. */
  concurrencyMax: 64,
  /** Requests of this process that wait for a slot. */
  queueMax: 1_024,
  /** Concurrent requests to one site (registrable domain). */
  siteConcurrencyMax: 2,
  siteQueueMax: 64,
  /** Burst of requests to one site, of all users together, after a pause. */
  siteBudgetRequests: 30,
  /** Milliseconds after which one more request to the site is allowed. */
  siteBudgetRefillMs: 1_000,
  /** Sites whose budget is kept in memory. */
  siteBudgetsMax: 50_000,
};
export type FetchLimits = typeof FETCH_LIMITS;

/** robots.txt: RFC 9309 asks for at least 500 KiB. */
export const ROBOTS_BYTES_MAX = 500 * KIB;
/** How long the rules of an origin are cached; RFC 9309 allows at most a day. */
export const ROBOTS_LIFETIME_MS = 24 * 3_600_000;
/** How long an unreachable robots.txt is cached. */
export const ROBOTS_UNREACHABLE_LIFETIME_MS = 5 * 60_000;
/** Estimated bytes of all cached rules. */
export const ROBOTS_CACHE_BYTES_MAX = 32 * MIB;
/** Origins in the cache. */
export const ROBOTS_CACHE_ORIGINS_MAX = 20_000;
/** Characters of a path that rules are matched against. */
export const ROBOTS_PATH_CHARACTERS_MAX = 2_048;

/** All of reading a page: robots.txt, both schemes, with and without `www`. */
export const READ_TOTAL_TIMEOUT_MS = 30_000;
/** Bytes that are parsed before other work gets its turn. */
export const PARSE_SLICE_BYTES = 128 * KIB;

/** Part of a page that may declare its charset (WHATWG: the first 1,024 bytes). */
export const CHARSET_PRESCAN_BYTES = 1_024;
/** Bytes from which a charset is guessed, beginning with the first one that is not ASCII. */
export const CHARSET_SAMPLE_BYTES = 16 * KIB;

/** Characters passed to the tokenizer at once. */
export const SCAN_CHUNK_CHARACTERS = 16 * KIB;
/** Characters before the current chunk that a token may begin in; a longer token is cut. */
export const SCAN_WINDOW_CHARACTERS = 4 * KIB;
/** Of an attribute's value; the rest is dropped. */
export const ATTRIBUTE_CHARACTERS_MAX = 4 * KIB;
/** Of the name of a tag or attribute; longer ones are ignored. */
export const NAME_CHARACTERS_MAX = 32;

/** Code points of a title. */
export const TITLE_CHARACTERS_MAX = 300;
/** Links of a page that are read. */
export const LINKS_MAX = 5_000;
/** Links within the site that are kept for a crawler, and the length of one. */
export const INTERNAL_URLS_MAX = 2_000;
export const INTERNAL_URL_CHARACTERS_MAX = 1_000;
/** Of a link's text. */
export const ANCHOR_CHARACTERS_MAX = 200;
/** Of the visible text, for the signs of a parked page. */
export const TEXT_SAMPLE_CHARACTERS = 32 * KIB;
/** Of the scripts, for the signs of a parked page. */
export const SCRIPT_SAMPLE_CHARACTERS = 8 * KIB;
/** Scripts and frames whose address is read. */
export const EMBEDDED_MAX = 1_000;
/** Hosts of scripts and frames that are kept. */
export const EMBEDDED_HOSTS_MAX = 100;
/** Below this many characters of visible text a page is tiny. */
export const TINY_TEXT_CHARACTERS = 100;
/** Up to this many characters of visible text, a typical sentence of parking pages is the page's message. */
export const PARKED_TEXT_CHARACTERS_MAX = 3_000;
