/** A message shorter than this, in UTF-16 units, is handled at once. */
const SHORT_UNITS = 64 * 1024;
/** After a message, the thread is left to others for this many times as long before the user's next message. */
const REST = 4;

/** The turns of one user's long messages, on all connections. Each holds up the serving thread for some milliseconds. */
export class MessageTurns {
  #last: Promise<void> = Promise.resolve();

  /** Runs the work on a message of this length when the previous turns have ended. @throws what the work throws */
  async run<T>(units: number, work: () => T): Promise<T> {
    if (units <= SHORT_UNITS) return work();
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    const start = performance.now();
    try {
      return work();
    } finally {
      setTimeout(resolve, (performance.now() - start) * REST);
    }
  }
}
