/**
 * The most MiB of pages that SQLite keeps in memory by default. A read-only handle keeps no more in any case: each
 * commit of the writer empties its cache.
 */
export const CACHE_MIB_USUAL = 32;
