/** Runs at most `permits` tasks at once, while `queueMax` wait. Further ones throw the error of `refuse`. */
export class Semaphore {
  #free: number;
  readonly #queueMax: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number, queueMax: number) {
    this.#free = permits;
    this.#queueMax = queueMax;
  }

  async run<T>(task: () => Promise<T>, refuse: () => Error): Promise<T> {
    if (this.#free > 0) this.#free--;
    else if (this.#waiting.length >= this.#queueMax) throw refuse();
    else await new Promise<void>((resume) => this.#waiting.push(resume));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
