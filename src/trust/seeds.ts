import { prepareInsert, tables, type Database } from '../db/index.ts';
import type { Release } from './graph/release/release.ts';
import { readSeedLines, type BadSeed } from './seed-lines.ts';
import { trustedPrefixes, type Seeds } from './score/seeds.ts';

export type SeedKind = 'trusted' | 'spam';

const writeSeeds = prepareInsert(tables.trust_seeds, {
  onConflict: 'ON CONFLICT (domain) DO UPDATE SET kind = excluded.kind',
});

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
    await this.#db.transaction((tx) =>
      writeSeeds(
        tx,
        domains.map((domain) => ({ domain, kind })),
      ),
    );
    return { domains, bad };
  }

  /** Sorted by domain. */
  list(): Promise<{ domain: string; kind: SeedKind }[]> {
    return this.#db.query<{ domain: string; kind: SeedKind }>(
      'SELECT domain, kind FROM trust_seeds ORDER BY domain',
    );
  }

  /** One page, sorted by domain. @param after the last domain of the page before; empty for the first page */
  page(after: string, limit: number): Promise<{ domain: string; kind: SeedKind }[]> {
    return this.#db.query<{ domain: string; kind: SeedKind }>(
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
    for (const prefix of trustedPrefixes()) {
      const [start, end] = release.rangeOf(prefix);
      for (let node = start; node < end; node++) institutions.push(node);
    }
    return {
      institutions: Uint32Array.from(institutions),
      trusted: Uint32Array.from(lists.trusted),
      spam: Uint32Array.from(lists.spam),
    };
  }
}
