import type { Act } from '../audit/index.ts';
import { prepareDelete, prepareInsert, tables, type Database } from '../db/index.ts';
import { systemClock, type Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { institutionRanges } from './base/institution-donors.ts';
import type { Release } from './graph/release/release.ts';
import type { ListFormat } from './lists/formats.ts';
import { readLines, readList } from './lists/read-list.ts';
import type { ListedSites } from './lists/sites.ts';
import type { Seeds } from './score/seeds.ts';

/** The most seeds of one crawl. */
const CRAWL_SEEDS_MAX = 1_000_000;

/**
 * Parses a file of seeds for a crawl, see `readLines`. Lines without a site are reported and skipped.
 * @throws DomainError `invalid_request` if there is no site at all, or there are too many
 */
export function parseCrawlSeeds(text: string): ListedSites {
  const { domains, bad, badCount } = readLines(text);
  if (domains.length === 0) {
    const [first] = bad;
    const why = first ? `; line ${first.line}: ${first.message}` : '';
    const message = `the file names no site: give one domain per line${why}`;
    throw new DomainError('invalid_request', message);
  }
  if (domains.length > CRAWL_SEEDS_MAX) {
    throw new DomainError('invalid_request', `give at most ${CRAWL_SEEDS_MAX} domains`);
  }
  return { domains, bad, badCount };
}

export const seedKinds = ['trusted', 'spam'] as const;
export type SeedKind = (typeof seedKinds)[number];

export interface Seed {
  domain: string;
  kind: SeedKind;
  /** The list that named it last; null if that is not known. */
  source: string | null;
  /** The date of that list, `YYYY-MM-DD`; null for seeds of earlier versions. */
  date: string | null;
}

/** The seeds of one kind, source and date. */
export type SeedSource = Omit<Seed, 'domain'> & { domains: number };

export interface SeedOptions {
  /** Undefined: recognised. */
  format?: ListFormat | undefined;
  /** The source of the seeds, such as a file or a URL; see `Seed`. */
  source?: string | undefined;
  /** The date of the list, `YYYY-MM-DD`; undefined: today in UTC. */
  date?: string | undefined;
  act?: Act | undefined;
}

export interface AddedSeeds extends ListedSites {
  format: ListFormat;
  /** How many domains were on the other list before. */
  moved: number;
}

const SEED = 'domain, kind, source, listed_on AS date';

const writeSeeds = prepareInsert(tables.trust_seeds, {
  onConflict: `ON CONFLICT (domain) DO UPDATE SET kind = excluded.kind, source = excluded.source,
    listed_on = excluded.listed_on`,
});

const deleteSeeds = prepareDelete(tables.trust_seeds, ['domain']);

/** The operator's own lists of trusted and spam domains. They take effect with the next ranking. */
export class SeedLists {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock = systemClock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Adds domains to a list; a domain on the other list is moved.
   * @param text see `readList`
   * @throws DomainError `invalid_request` if the list can't be read
   */
  async add(kind: SeedKind, text: string, options: SeedOptions = {}): Promise<AddedSeeds> {
    const { source = null, date = new Date(this.#clock.now()).toISOString().slice(0, 10) } =
      options;
    const read = await readList(text, options.format);
    const rows = read.domains.map((domain) => ({ domain, kind, source, listed_on: date }));
    return this.#db.transaction(async (tx) => {
      const query = 'SELECT domain FROM trust_seeds WHERE kind <> $1';
      const others = new Set((await tx.query<Seed>(query, [kind])).map(({ domain }) => domain));
      await writeSeeds(tx, rows);
      const moved = read.domains.filter((domain) => others.has(domain)).length;
      const after = { added: rows.length, moved, source, date };
      await options.act?.record(tx, { subject: kind, after, changes: read.domains });
      return { ...read, moved };
    });
  }

  /**
   * Removes domains from both lists.
   * @param text see `readLines`
   * @returns the domains that were on a list, those that were not, and the lines without a site
   */
  async remove(
    text: string,
    act?: Act,
  ): Promise<{ removed: string[]; unknown: string[] } & Omit<ListedSites, 'domains'>> {
    const { domains, ...bad } = readLines(text);
    return this.#db.transaction(async (tx) => {
      const rows = await tx.query<Seed>('SELECT domain FROM trust_seeds');
      const listed = new Set(rows.map(({ domain }) => domain));
      const removed = domains.filter((domain) => listed.has(domain));
      await deleteSeeds(
        tx,
        removed.map((domain) => ({ domain })),
      );
      const after = { removed: removed.length };
      if (removed.length > 0) await act?.record(tx, { after, changes: removed });
      return { removed, unknown: domains.filter((domain) => !listed.has(domain)), ...bad };
    });
  }

  /** Removes all domains whose last source this was. @returns how many @throws `not_found` */
  async removeSource(source: string, act?: Act): Promise<number> {
    const query = 'DELETE FROM trust_seeds WHERE source = $1 RETURNING domain';
    const rows = await this.#db.transaction(async (tx) => {
      const removed = await tx.query<{ domain: string }>(query, [source]);
      const facts = { subject: source, after: { removed: removed.length } };
      const changes = removed.map(({ domain }) => domain);
      if (removed.length > 0) await act?.record(tx, { ...facts, changes });
      return removed;
    });
    if (rows.length > 0) return rows.length;
    const message = 'no domain is listed from that source: see zastava trust seeds list --sources';
    throw new DomainError('not_found', message);
  }

  /** Sorted by domain. */
  list(): Promise<Seed[]> {
    return this.#db.query(`SELECT ${SEED} FROM trust_seeds ORDER BY domain`);
  }

  /** One page, sorted by domain. @param after the last domain of the previous page; empty for the first page */
  page(after: string, limit: number): Promise<Seed[]> {
    return this.#db.query(
      `SELECT ${SEED} FROM trust_seeds WHERE domain > $1 ORDER BY domain LIMIT $2`,
      [after, limit],
    );
  }

  /** The contents of the lists, by kind, source and date. */
  sources(): Promise<SeedSource[]> {
    return this.#db.query(
      `SELECT kind, source, listed_on AS date, COUNT(*) AS domains FROM trust_seeds
       GROUP BY kind, source, listed_on ORDER BY kind DESC, source, listed_on`,
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
    const endings: number[] = [];
    for (const [start, end, ending] of institutionRanges(release)) {
      for (let node = start; node < end; node++) {
        institutions.push(node);
        endings.push(ending);
      }
    }
    return {
      institutions: Uint32Array.from(institutions),
      endings: Uint16Array.from(endings),
      trusted: Uint32Array.from(lists.trusted),
      spam: Uint32Array.from(lists.spam),
    };
  }
}
