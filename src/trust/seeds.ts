import { insertRows, type Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Release } from './graph/release/release.ts';
import { siteOf } from './identity.ts';
import { trustedPrefixes, type Seeds } from './score/seeds.ts';

export type SeedKind = 'trusted' | 'spam';

/** A line of a seed file that names no site. */
export interface BadSeed {
  line: number;
  text: string;
  message: string;
}

/** The operator's own lists of trusted and spam domains. They take effect with the next ranking. */
export class SeedLists {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Adds domains to a list; one that is on the other list moves. Empty lines and lines that begin with `#`
   * are passed over.
   * @param text a domain or address a line
   */
  async add(kind: SeedKind, text: string): Promise<{ added: number; bad: BadSeed[] }> {
    const domains = new Set<string>();
    const bad: BadSeed[] = [];
    text.split(/\r?\n/).forEach((raw, index) => {
      const line = raw.trim();
      if (line === '' || line.startsWith('#')) return;
      const site = siteOf(line);
      if (site.kind === 'site') domains.add(site.domain);
      else bad.push({ line: index + 1, text: line.slice(0, 100), message: site.message });
    });
    const now = this.#clock.now();
    await this.#db.transaction((tx) =>
      insertRows(
        tx,
        'trust_seeds (domain, kind, added_at)',
        3,
        [...domains].map((domain) => [domain, kind, now]),
        ' ON CONFLICT (domain) DO UPDATE SET kind = excluded.kind, added_at = excluded.added_at',
      ),
    );
    return { added: domains.size, bad };
  }

  /** By domain. */
  list(): Promise<{ domain: string; kind: SeedKind }[]> {
    return this.#db.query<{ domain: string; kind: SeedKind }>(
      'SELECT domain, kind FROM trust_seeds ORDER BY domain',
    );
  }

  /** The nodes of a release that are seeds: by rule, and by the lists. */
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
