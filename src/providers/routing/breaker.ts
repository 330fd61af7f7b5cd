import { NotSentError } from './attempt.ts';

/** This many consecutive calls without an answer open the breaker. */
export const BREAKER_FAILURES = 10;
/** After this time an open breaker lets one call through as a probe, milliseconds. */
export const BREAKER_OPEN_MS = 5_000;

/**
 * What a call showed about the provider: `alive` if it answered, even with an error; `silent` if it did not;
 * `unknown` if the caller stopped the call before.
 */
export type Sign = 'alive' | 'silent' | 'unknown';

export type BreakerState = 'closed' | 'open' | 'probing';

/** How a call was admitted; pass it to `report`. */
export type Admission = 'normal' | 'probe';

/** Stops calls to a provider that does not answer, so that they fail at once instead of at the deadline. */
export class Breaker {
  readonly #monotonic: () => number;
  #silent = 0;
  /** When a probe is due, on the monotonic clock; undefined while closed. */
  #openUntil: number | undefined;
  #probing = false;

  /** @param monotonic monotonic milliseconds */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /**
   * The state as shown to people: `open` while calls are refused, `probing` while one call finds out whether the
   * provider answers.
   */
  get state(): BreakerState {
    if (this.#openUntil === undefined) return 'closed';
    return this.#probing ? 'probing' : 'open';
  }

  /** @throws NotSentError `breaker_open` while open, and while another call probes */
  admit(): Admission {
    if (this.#openUntil === undefined) return 'normal';
    const wait = this.#openUntil - this.#monotonic();
    if (wait <= 0 && !this.#probing) {
      this.#probing = true;
      return 'probe';
    }
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    throw new NotSentError('breaker_open', 'The provider has not answered for a while.', {
      retryAfterSeconds: seconds,
    });
  }

  report(sign: Sign, admission: Admission): void {
    if (admission === 'probe') this.#probing = false;
    if (sign === 'alive') {
      this.#silent = 0;
      this.#openUntil = undefined;
    } else if (sign === 'silent') {
      this.#silent++;
      // Calls that were already running when it opened say nothing new, and must not keep it open.
      const opens = this.#openUntil === undefined && this.#silent >= BREAKER_FAILURES;
      if (opens || admission === 'probe') this.#openUntil = this.#monotonic() + BREAKER_OPEN_MS;
    }
  }
}

/** At most this many retries for a hundred calls. */
export const RETRY_BUDGET_PERCENT = 10;
/** Retries that a window allows in any case: with few calls, the percentage would be less than one. */
export const RETRY_BUDGET_RESERVE = 10;
/** The span over which calls and retries are counted, milliseconds. */
export const RETRY_BUDGET_WINDOW_MS = 60_000;
/** The window advances in this many steps. */
const SLICES = 6;
const SLICE_MS = RETRY_BUDGET_WINDOW_MS / SLICES;

interface Slice {
  number: number;
  calls: number;
  retries: number;
}

/**
 * Keeps retries to a share of the calls: when a provider is in trouble, every call would retry, and double its load at
 * the worst moment.
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

  /** Takes one retry out of the budget. @returns false when it is spent */
  take(): boolean {
    const slice = this.#slice();
    const calls = this.#slices.reduce((sum, each) => sum + each.calls, 0);
    const retries = this.#slices.reduce((sum, each) => sum + each.retries, 0);
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
