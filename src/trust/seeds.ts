import { prepareDelete, prepareInsert, tables, type Database } from '../db/index.ts';
import { DomainError } from '../lib/errors.ts';
import { institutionRanges } from './base/institution-donors.ts';
import type { Release } from './graph/release/release.ts';
import { siteOf } from './identity.ts';
import type { Seeds } from './score/seeds.ts';

/** Characters of a line that are quoted. */
const QUOTE_MAX = 100;
/** Seeds of one crawl. */
const CRAWL_SEEDS_MAX = 1_000_000;

/** A line of a seed file without a site. */
export interface BadSeed {
  /** 1-based. */
  line: number;
  text: string;
  message: string;
}

/**
 * Parses a file of seeds: one domain or address per line. Empty lines and lines that begin with `#` are skipped.
 * @returns registrable domains without duplicates, in order, and the lines without a site
 */
function readSeedLines(text: string): { domains: string[]; bad: BadSeed[] } {
  const domains = new Set<string>();
  const bad: BadSeed[] = [];
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    const site = siteOf(line);
    if (site.kind === 'site') domains.add(site.domain);
    else bad.push({ line: index + 1, text: line.slice(0, QUOTE_MAX), message: site.message });
  });
  return { domains: [...domains], bad };
}

/**
 * Parses a file of seeds for a crawl, in the format of `readSeedLines`. Lines without a site are reported and skipped.
 * @throws DomainError `invalid_request` when there is no site at all, or when there are too many
 */
export function parseCrawlSeeds(text: string): { domains: string[]; bad: BadSeed[] } {
  const { domains, bad } = readSeedLines(text);
  if (domains.length === 0) {
    const [first] = bad;
    const why = first ? `; line ${first.line}: ${first.message}` : '';
    const message = `the file names no site: give one domain per line${why}`;
    throw new DomainError('invalid_request', message);
  }
  if (domains.length > CRAWL_SEEDS_MAX) {
    throw new DomainError('invalid_request', `give at most ${CRAWL_SEEDS_MAX} domains`);
  }
  return { domains, bad };
}

export type SeedKind = 'trusted' | 'spam';

const writeSeeds = prepareInsert(tables.trust_seeds, {
  onConflict: 'ON CONFLICT (domain) DO UPDATE SET kind = excluded.kind',
});

const deleteSeeds = prepareDelete(tables.trust_seeds, ['domain']);

/** The operator's own lists of trusted and spam domains. They take effect with the next ranking. */
export class SeedLists {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Adds domains to a list; a domain on the other list moves.
   * @param text see `readSeedLines`
   * @returns the domains that were added, and the lines without a site
   */
  async add(kind: SeedKind, text: string): Promise<{ domains: string[]; bad: BadSeed[] }> {
    const { domains, bad } = readSeedLines(text);
    const rows = domains.map((domain) => ({ domain, kind }));
    await this.#db.transaction((tx) => writeSeeds(tx, rows));
    return { domains, bad };
  }

  /**
   * Removes domains from both lists.
   * @param text see `readSeedLines`
   * @returns the domains that were on a list, those that were not, and the lines without a site
   */
  async remove(text: string): Promise<{ removed: string[]; unknown: string[]; bad: BadSeed[] }> {
    const { domains, bad } = readSeedLines(text);
    return this.#db.transaction(async (tx) => {
      const rows = await tx.query<{ domain: string }>('SELECT domain FROM trust_seeds');
      const listed = new Set(rows.map(({ domain }) => domain));
      const removed = domains.filter((domain) => listed.has(domain));
      await deleteSeeds(
        tx,
        removed.map((domain) => ({ domain })),
      );
      return { removed, unknown: domains.filter((domain) => !listed.has(domain)), bad };
    });
  }

  /** Sorted by domain. */
  list(): Promise<{ domain: string; kind: SeedKind }[]> {
    return this.#db.query('SELECT domain, kind FROM trust_seeds ORDER BY domain');
  }

  /** One page, sorted by domain. @param after the last domain of the page before; empty for the first page */
  page(after: string, limit: number): Promise<{ domain: string; kind: SeedKind }[]> {
    return this.#db.query(
      'SELECT domain, kind FROM trust_seeds WHERE domain > $1 ORDER BY domain LIMIT $2',
      [after, limit],
    );
  }

  /** The nodes of a release that are seeds, by rule and by the lists. */
  async nodesIn(release: Release): Promise<Seeds> {
    const lists: Record<SeedKind, number[]> = { trusted: [], spam: [] };
    for (const { domain, kind } of await this.list()) {
      const node = release.find(domain);
      if (node !== undefined) lists[kind].push(node);
    }
    const institutions: number[] = [];
    for (const [start, end] of institutionRanges(release)) {
      for (let node = start; node < end; node++) institutions.push(node);
    }
    return {
      institutions: Uint32Array.from(institutions),
      trusted: Uint32Array.from(lists.trusted),
      spam: Uint32Array.from(lists.spam),
    };
  }
}
