import { Semaphore } from '../../lib/semaphore.ts';
import { FetchFailure } from './failures.ts';

export interface SlotLimits {
  concurrencyMax: number;
  queueMax: number;
  siteConcurrencyMax: number;
  siteQueueMax: number;
}

/** How many requests are under way at once, in all and to one site. */
export class SiteSlots {
  readonly #limits: SlotLimits;
  readonly #all: Semaphore;
  readonly #sites = new Map<string, { slots: Semaphore; users: number }>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#all = new Semaphore(limits.concurrencyMax, limits.queueMax);
  }

  /** The site's slot first: requests that wait for a slow site must not take the places of others. */
  async run<T>(site: string, task: () => Promise<T>): Promise<T> {
    const { siteConcurrencyMax, siteQueueMax } = this.#limits;
    const entry = this.#sites.get(site) ?? {
      slots: new Semaphore(siteConcurrencyMax, siteQueueMax),
      users: 0,
    };
    this.#sites.set(site, entry);
    entry.users++;
    try {
      return await entry.slots.run(() => this.#all.run(task, busy), busy);
    } finally {
      if (--entry.users === 0) this.#sites.delete(site);
    }
  }
}

function busy(): FetchFailure {
  return new FetchFailure('busy', 'too many requests wait');
}
