/**
 * Runs at most `permits` tasks at once. Others wait in lanes, at most `queueMax` in each; further ones throw the error
 * of `refuse`. Lanes take turns, so a full lane does not delay another for long.
 */
export class Semaphore {
  #free: number;
  readonly #queueMax: number;
  /** The lanes in which tasks wait; the first one is next. */
  readonly #lanes = new Map<string, (() => void)[]>();

  constructor(permits: number, queueMax: number) {
    this.#free = permits;
    this.#queueMax = queueMax;
  }

  async run<T>(task: () => Promise<T>, refuse: () => Error, lane = ''): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(lane, refuse);
    try {
      return await task();
    } finally {
      const next = this.#next();
      if (next) next();
      else this.#free++;
    }
  }

  #wait(lane: string, refuse: () => Error): Promise<void> {
    const queue = this.#lanes.get(lane) ?? [];
    if (queue.length >= this.#queueMax) throw refuse();
    this.#lanes.set(lane, queue);
    return new Promise<void>((resume) => queue.push(resume));
  }

  #next(): (() => void) | undefined {
    const [first] = this.#lanes;
    if (!first) return undefined;
    const [lane, queue] = first;
    const next = queue.shift();
    this.#lanes.delete(lane);
    if (queue.length > 0) this.#lanes.set(lane, queue);
    return next;
  }
}
