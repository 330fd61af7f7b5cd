import { LRUCache } from 'lru-cache';
import type { TopDonorShare } from './record.ts';
import type { RankedRelease } from './release-signals.ts';
import { searchTopDonors, type Flows } from './score/top-donors.ts';

const TOP_DONORS = 10;
/** A search walks over all donors; those of the few domains with more are not searched. */
const SEARCHED_DONORS_MAX = 1_000_000;
/** Domains whose top donors are remembered for as long as their release is current. */
const CACHED_MAX = 20_000;

/** Finds the donors that a domain has its trust from. */
export class DonorExplainer {
  #ranked: RankedRelease | undefined;
  #cache = new LRUCache<number, TopDonorShare[]>({ max: CACHED_MAX });

  /** The greatest first; empty where no trust flows, and for the greatest of all domains. */
  async of(ranked: RankedRelease, node: number): Promise<TopDonorShare[]> {
    if (ranked !== this.#ranked) {
      this.#ranked = ranked;
      this.#cache = new LRUCache({ max: CACHED_MAX });
    }
    const cache = this.#cache;
    const known = cache.get(node);
    if (known) return known;
    const found = await search(ranked, node);
    cache.set(node, found);
    return found;
  }
}

async function search(ranked: RankedRelease, node: number): Promise<TopDonorShare[]> {
  const { release } = ranked;
  if (release.donorCount(node) > SEARCHED_DONORS_MAX) return [];
  const total = ranked.flow(node);
  const flows: Flows = {
    donors: (of) => release.donors(of),
    acceptorCount: (of) => release.acceptorCount(of),
    flow: (of) => ranked.flow(of),
  };
  const steps = searchTopDonors(flows, node, TOP_DONORS);
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value.map((donor) => ({
        domain: release.nameOf(donor.node),
        share: total > 0 ? Math.min(1, donor.flow / total) : 0,
      }));
    }
    // A giant's donors take a while, and others want their answers.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
