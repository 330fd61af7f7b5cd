import { lruCache } from '../../lib/lru-cache.ts';
import type { Manifest } from '../graph/release/manifest.ts';
import type { PagedArray } from '../graph/release/paged-array.ts';
import type { Release } from '../graph/release/release.ts';
import { columnsOfBase } from './base-columns.ts';

/** Domains whose facts are cached. */
const CACHED_MAX = 20_000;

/** What the base, a release of the whole web, knows about a domain. */
export interface BaseFacts {
  release: string;
  /** Distinct domains that link to it, and to which it links; 0 if the base does not contain it. */
  donors: number;
  acceptors: number;
  /** Distinct institutions by rule (`edu`, `gov`, `ac.uk`, …) that link to it. */
  institutionDonors: number;
  /** The first of the compared releases that contains it; null if none does. */
  firstSeen: string | null;
  /** The earlier release and the donors in it; null if the base was not compared with one. */
  before: { release: string; donors: number } | null;
}

type Columns = Record<keyof typeof columnsOfBase, PagedArray>;

export class BaseRelease {
  readonly release: Release;
  readonly #facts: NonNullable<Manifest['base']>;
  readonly #columns: Columns;
  readonly #found = lruCache<string, BaseFacts>(CACHED_MAX);

  private constructor(release: Release, facts: NonNullable<Manifest['base']>, columns: Columns) {
    this.release = release;
    this.#facts = facts;
    this.#columns = columns;
  }

  /** Undefined if the release was not prepared as a base. */
  static of(release: Release): BaseRelease | undefined {
    const { base } = release.manifest;
    const institutions = release.column(columnsOfBase.institutions);
    const firstSeen = release.column(columnsOfBase.firstSeen);
    const donorsBefore = release.column(columnsOfBase.donorsBefore);
    if (!base || !institutions || !firstSeen || !donorsBefore) return undefined;
    return new BaseRelease(release, base, { institutions, firstSeen, donorsBefore });
  }

  /** @param domain in normal form: registrable, lower case, punycode */
  find(domain: string): BaseFacts {
    const known = this.#found.get(domain);
    if (known) return known;
    const found = this.#factsOf(this.release.find(domain));
    this.#found.set(domain, found);
    return found;
  }

  #factsOf(node: number | undefined): BaseFacts {
    const { release } = this;
    const { since, seen } = this.#facts;
    const { institutions, firstSeen, donorsBefore } = this.#columns;
    const before = (donors: number) => (since === null ? null : { release: since, donors });
    if (node === undefined) {
      const nothing = { donors: 0, acceptors: 0, institutionDonors: 0, firstSeen: null };
      return { release: release.name, ...nothing, before: before(0) };
    }
    return {
      release: release.name,
      donors: release.donorCount(node),
      acceptors: release.acceptorCount(node),
      institutionDonors: institutions.at(node),
      firstSeen: seen[firstSeen.at(node)]?.release ?? null,
      before: before(donorsBefore.at(node)),
    };
  }
}
