import { KeyedSemaphore } from '../../lib/keyed-semaphore.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { FetchFailure } from './failures.ts';
import type { FetchLimits } from './limits.ts';

/** Bounds the concurrent requests of this process, in total and to one site. */
export class SiteSlots {
  readonly #all: Semaphore;
  readonly #sites: KeyedSemaphore;

  constructor(limits: FetchLimits) {
    this.#all = new Semaphore(limits.concurrencyMax, limits.queueMax);
    this.#sites = new KeyedSemaphore(limits.siteConcurrencyMax, limits.siteQueueMax);
  }

  /**
   * Runs the task when there is a slot. The site's slot is taken first: requests that wait for a slow site must not
   * occupy the slots of others.
   * @throws FetchFailure `busy`, or the signal's reason while waiting for a slot
   */
  async run<T>(site: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const withSlot = async (): Promise<T> => {
      begin();
      signal.throwIfAborted();
      return task();
    };
    const running = this.#sites.run(site, () => this.#all.run(withSlot, busy), busy);
    await untilAborted(Promise.race([begun, running]), signal).catch((error: unknown) => {
      // The task stays in the queue; when its turn comes it sees the signal and frees the slot.
      running.catch(() => {});
      throw error;
    });
    return await running;
  }
}

function busy(): FetchFailure {
  return new FetchFailure('busy', 'too many requests wait');
}
