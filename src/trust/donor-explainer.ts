import { lruCache } from '../lib/lru-cache.ts';
import type { TopDonorShare } from './record.ts';
import type { RankedRelease } from './release-signals.ts';
import { topDonors } from './score/top-donors.ts';

const TOP_DONORS = 10;
/** A search walks over all donors; domains with more than this are not searched. */
const SEARCHED_DONORS_MAX = 1_000_000;
/** Domains whose top donors are cached while their release is current. */
const CACHED_MAX = 20_000;

/** Finds the donors from which a domain has its trust. */
export class DonorExplainer {
  #ranked: RankedRelease | undefined;
  #cache = lruCache<number, TopDonorShare[]>(CACHED_MAX);

  /** The greatest first; empty where no trust flows, and for domains with too many donors. */
  async of(ranked: RankedRelease, node: number): Promise<TopDonorShare[]> {
    if (ranked !== this.#ranked) {
      this.#ranked = ranked;
      this.#cache = lruCache(CACHED_MAX);
    }
    const cache = this.#cache;
    const known = cache.get(node);
    if (known) return known;
    const found = await search(ranked, node);
    cache.set(node, found);
    return found;
  }
}

/** Lets other work run. */
function pause(): Promise<unknown> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function search(ranked: RankedRelease, node: number): Promise<TopDonorShare[]> {
  const { release } = ranked;
  if (release.donorCount(node) > SEARCHED_DONORS_MAX) return [];
  const total = ranked.flow(node);
  const flows = {
    donors: (of: number) => release.donors(of),
    acceptorCount: (of: number) => release.acceptorCount(of),
    flow: (of: number) => ranked.flow(of),
  };
  const donors = await topDonors(flows, node, TOP_DONORS, pause);
  return donors.map((donor) => ({
    domain: release.nameOf(donor.node),
    share: total > 0 ? Math.min(1, donor.flow / total) : 0,
  }));
}
