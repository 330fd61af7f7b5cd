import type { Release } from '../graph/release/release.ts';
import type { SeedKind } from '../seeds.ts';

/** Domains that were added to a list, or removed from one, between two rankings. */
export interface SeedMove {
  change: 'added' | 'removed';
  kind: SeedKind;
  /** The current source of the domain; null if that is not known, and for removed ones. */
  source: string | null;
  /** The number of domains that are in the graph; others have no influence. */
  domains: number;
}

/** The kinds by the numbers in a ranking's column. */
const kinds: readonly (SeedKind | undefined)[] = [undefined, 'trusted', 'spam'];

/** Counts what changed on the operator's lists. */
export class SeedMoves {
  readonly #release: Release;
  readonly #sources: ReadonlyMap<string, string | null>;
  readonly #moves = new Map<string, SeedMove>();

  /** @param sources by domain on the current lists */
  constructor(release: Release, sources: ReadonlyMap<string, string | null>) {
    this.#release = release;
    this.#sources = sources;
  }

  /** @param before and `after`: see SignalArrays.listed */
  add(node: number, before: number, after: number): void {
    const [was, is] = [kinds[before], kinds[after]];
    if (was) this.#count('removed', was, null);
    if (is) this.#count('added', is, this.#sources.get(this.#release.nameOf(node)) ?? null);
  }

  #count(change: SeedMove['change'], kind: SeedKind, source: string | null): void {
    const key = JSON.stringify([change, kind, source]);
    const move = this.#moves.get(key) ?? { change, kind, source, domains: 0 };
    this.#moves.set(key, { ...move, domains: move.domains + 1 });
  }

  get isEmpty(): boolean {
    return this.#moves.size === 0;
  }

  /** The greatest first. */
  moves(): SeedMove[] {
    return [...this.#moves.values()].sort((a, b) => b.domains - a.domains);
  }
}
