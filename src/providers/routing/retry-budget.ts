/** Second tries may be so many of a hundred calls. */
export const RETRY_BUDGET_PERCENT = 10;
/** Second tries that a window has in any case: with few calls, a percentage would be none. */
export const RETRY_BUDGET_RESERVE = 10;
/** What is counted, milliseconds. */
export const RETRY_BUDGET_WINDOW_MS = 60_000;
/** Steps in which the window moves on. */
const SLICES = 6;
const SLICE_MS = RETRY_BUDGET_WINDOW_MS / SLICES;

interface Slice {
  number: number;
  calls: number;
  retries: number;
}

/**
 * Keeps second tries to a share of the calls: when a provider is sick every call wants one, and would
 * double its load just then.
 */
export class RetryBudget {
  readonly #monotonic: () => number;
  #slices: Slice[] = [];

  /** @param monotonic milliseconds that only grow */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  countCall(): void {
    this.#slice().calls++;
  }

  /** Takes one second try out of the budget, or returns false when it is spent. */
  take(): boolean {
    const slice = this.#slice();
    let [calls, retries] = [0, 0];
    for (const each of this.#slices) {
      calls += each.calls;
      retries += each.retries;
    }
    if ((retries - RETRY_BUDGET_RESERVE) * 100 >= calls * RETRY_BUDGET_PERCENT) return false;
    slice.retries++;
    return true;
  }

  #slice(): Slice {
    const number = Math.floor(this.#monotonic() / SLICE_MS);
    const last = this.#slices.at(-1);
    if (last?.number === number) return last;
    const slice = { number, calls: 0, retries: 0 };
    this.#slices = this.#slices.filter((each) => each.number > number - SLICES);
    this.#slices.push(slice);
    return slice;
  }
}
