import { KeyedSemaphore } from '../../lib/keyed-semaphore.ts';
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
  readonly #all: Semaphore;
  readonly #sites: KeyedSemaphore;

  constructor(limits: SlotLimits) {
    this.#all = new Semaphore(limits.concurrencyMax, limits.queueMax);
    this.#sites = new KeyedSemaphore(limits.siteConcurrencyMax, limits.siteQueueMax);
  }

  /**
   * Runs the task when there is a place. The site's slot comes first: requests that wait for a slow site
   * must not take the places of others.
   * @throws FetchFailure `busy`, or the signal's reason while there is no place yet
   */
  async run<T>(site: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const whenPlaced = async (): Promise<T> => {
      begin();
      signal.throwIfAborted();
      return task();
    };
    const running = this.#sites.run(site, () => this.#all.run(whenPlaced, busy), busy);
    await untilAborted(Promise.race([begun, running]), signal).catch((error: unknown) => {
      // It keeps its place in the queue, finds the signal and gives the place back.
      running.catch(() => {});
      throw error;
    });
    return await running;
  }
}

function busy(): FetchFailure {
  return new FetchFailure('busy', 'too many requests wait');
}
