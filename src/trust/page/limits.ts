/** Every limit of fetching and reading pages, in one place; each has its unit in its name. */

export const KIB = 1_024;
export const MIB = 1_024 * KIB;

/** What one fetch may take. Tests hand in smaller numbers. */
export interface FetchLimits {
  /** Finding the address, and then again connecting with the TLS handshake, of one hop. */
  connectTimeoutMs: number;
  /** From the request being sent to the whole header, of one hop. */
  headersTimeoutMs: number;
  /** All of a fetch: waiting for a place, every hop, the body. */
  totalTimeoutMs: number;
  /** Within each window of this length… */
  throughputWindowMs: number;
  /** …a body must bring at least this much. */
  throughputBytesMin: number;
  /** The response header as it came over the wire. */
  headerBytesMax: number;
  /** Of a body, as it came over the wire; what is beyond is not read. */
  wireBytesMax: number;
  /** Of a body, decompressed; what is beyond is not read. */
  decodedBytesMax: number;
  /** Decompressed bytes a compressed byte; beyond it, the body is a bomb. */
  ratioMax: number;
  /** The ratio counts from this many decompressed bytes: a short page of spaces is no bomb. */
  ratioFromBytes: number;
  redirectsMax: number;
  urlCharactersMax: number;
  /** Addresses of one name that are tried. */
  addressesMax: number;
  /** Ports reached without `ZASTAVA_FETCH_ALLOW`. */
  ports: readonly number[];
  /** Requests under way at once, of this process. */
  concurrencyMax: number;
  /** Requests that wait for a place, of this process. */
  queueMax: number;
  /** Requests under way at once to one site (registrable domain). */
  siteConcurrencyMax: number;
  siteQueueMax: number;
  /** Requests to one site at once, whoever asks, when none were made for a while. */
  siteBudgetRequests: number;
  /** Milliseconds until one request to the site is filled in again. */
  siteBudgetRefillMs: number;
  /** Sites whose budget is remembered. */
  siteBudgetsMax: number;
}

export const FETCH_LIMITS: FetchLimits = {
  connectTimeoutMs: 5_000,
  headersTimeoutMs: 10_000,
  totalTimeoutMs: 20_000,
  throughputWindowMs: 5_000,
  throughputBytesMin: 5 * KIB,
  headerBytesMax: 32 * KIB,
  wireBytesMax: 2 * MIB,
  decodedBytesMax: 8 * MIB,
  ratioMax: 100,
  ratioFromBytes: 1 * MIB,
  redirectsMax: 5,
  urlCharactersMax: 4 * KIB,
  addressesMax: 8,
  ports: [80, 443],
  concurrencyMax: 64,
  queueMax: 1_024,
  siteConcurrencyMax: 2,
  siteQueueMax: 64,
  siteBudgetRequests: 30,
  siteBudgetRefillMs: 1_000,
  siteBudgetsMax: 50_000,
};

/** robots.txt: RFC 9309 asks for at least 500 KiB. */
export const ROBOTS_BYTES_MAX = 500 * KIB;
/** How long the rules of an origin are kept; RFC 9309: at most a day. */
export const ROBOTS_LIFETIME_MS = 24 * 3_600_000;
/** How long "can't be reached" is kept: shorter, since it passes. */
export const ROBOTS_UNREACHABLE_LIFETIME_MS = 5 * 60_000;
/** Estimated bytes of all rules in the cache together. */
export const ROBOTS_CACHE_BYTES_MAX = 32 * MIB;
/** Origins in the cache. */
export const ROBOTS_CACHE_ORIGINS_MAX = 20_000;
/** Characters of a path that rules are matched against. */
export const ROBOTS_PATH_CHARACTERS_MAX = 2_048;

/** All of reading a page: robots.txt, both schemes, with and without `www`. */
export const READ_TOTAL_TIMEOUT_MS = 30_000;
/** Characters that are parsed in one go, before others get their turn. */
export const PARSE_SLICE_CHARACTERS = 128 * KIB;

/** Where a charset declaration is looked for (WHATWG: the first 1,024 bytes). */
export const CHARSET_PRESCAN_BYTES = 1_024;
/** Bytes, from the first one that is not ASCII, that a charset is guessed from. */
export const CHARSET_SAMPLE_BYTES = 16 * KIB;

/** Characters given to the tokenizer at once. */
export const SCAN_CHUNK_CHARACTERS = 16 * KIB;
/** Characters behind the current chunk that a token may reach back to; a longer token is cut. */
export const SCAN_WINDOW_CHARACTERS = 4 * KIB;
/** Characters of an attribute's value that are kept. */
export const ATTRIBUTE_CHARACTERS_MAX = 4 * KIB;
/** Characters of a tag's or attribute's name that are looked at. */
export const NAME_CHARACTERS_MAX = 32;

/** Characters (code points) of a title. */
export const TITLE_CHARACTERS_MAX = 300;
/** Links of a page that are looked at; the rest are only counted. */
export const LINKS_MAX = 5_000;
/** Links within the site that are kept for a crawler, and the characters of one. */
export const INTERNAL_URLS_MAX = 2_000;
export const INTERNAL_URL_CHARACTERS_MAX = 1_000;
/** Characters of a link's text that are kept while it is open. */
export const ANCHOR_CHARACTERS_MAX = 200;
/** Characters of visible text kept for the signs and features that look for words. */
export const TEXT_SAMPLE_CHARACTERS = 32 * KIB;
/** Characters of scripts kept for the signs of a parked page. */
export const SCRIPT_SAMPLE_CHARACTERS = 8 * KIB;
/** Scripts and frames whose address is looked at. */
export const EMBEDDED_MAX = 1_000;
/** Hosts of scripts and frames that are remembered. */
export const EMBEDDED_HOSTS_MAX = 100;
/** Below this many characters of visible text a page is tiny. */
export const TINY_TEXT_CHARACTERS = 100;
/** Below this many characters of visible text, a sentence of parking pages is the page's message. */
export const PARKED_TEXT_CHARACTERS_MAX = 3_000;
/** Words of a link's text from which it is stuffed. */
export const STUFFED_ANCHOR_WORDS = 10;
