export const KIB = 1_024;
export const MIB = 1_024 * KIB;

/** Limits of fetching a page; tests use smaller ones. */
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
  /** The response header on the wire. */
  headerBytesMax: 32 * KIB,
  /** A body on the wire; the rest is not read. */
  wireBytesMax: 2 * MIB,
  /** A decompressed body; the rest is not read. */
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
