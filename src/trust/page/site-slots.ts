import { Semaphore } from '../../lib/semaphore.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
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

  /**
   * Runs the task when there is a place. The site's slot comes first: requests that wait for a slow site
   * must not take the places of others.
   * @throws FetchFailure `busy`, or the signal's reason while there is no place yet
   */
  async run<T>(site: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const running = this.#run(site, () => {
      begin();
      signal.throwIfAborted();
      return task();
    });
    await untilAborted(Promise.race([begun, running]), signal).catch((error: unknown) => {
      // It keeps its place in the queue, finds the signal and gives the place back.
      running.catch(() => {});
      throw error;
    });
    return await running;
  }

  async #run<T>(site: string, task: () => Promise<T>): Promise<T> {
    const { siteConcurrencyMax, siteQueueMax } = this.#limits;
    const entry = this.#sites.get(site) ?? {
      slots: new Semaphore(siteConcurrencyMax, siteQueueMax),
      users: 0,
    };
    this.#sites.set(site, entry);
    entry.users++;
    try {
      return await entry.slots.run(() => this.#all.run(async () => task(), busy), busy);
    } finally {
      if (--entry.users === 0) this.#sites.delete(site);
    }
  }
}

function busy(): FetchFailure {
  return new FetchFailure('busy', 'too many requests wait');
}
