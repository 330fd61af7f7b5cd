import type { Release } from '../graph/release/release.ts';
import type { SeedKind } from '../seeds.ts';

/** Domains that came onto a list, or left one, between two rankings. */
export interface SeedMove {
  change: 'added' | 'removed';
  kind: SeedKind;
  /** What names the domain now; null where that was not said, and for removed ones. */
  source: string | null;
  /** Those that the graph has; others have no influence. */
  domains: number;
}

/** The kinds by the numbers in a ranking's column. */
const kinds: readonly (SeedKind | undefined)[] = [undefined, 'trusted', 'spam'];

/** Counts what changed on the operator's lists. */
export class SeedMoves {
  readonly #release: Release;
  readonly #sources: ReadonlyMap<string, string | null>;
  readonly #moves = new Map<string, SeedMove>();

  /** @param sources of the domains on the lists now */
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
