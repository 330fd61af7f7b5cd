import type { Clock } from '../../lib/clock.ts';
import type { AttemptOutcome, ObservedCall } from './attempt.ts';

const MINUTE_MS = 60_000;
/** Calls are counted for this many minutes. */
const RECENT_MINUTES = 60;

/** What one node saw of a provider within the last hour. */
export interface RecentUse {
  calls: number;
  failures: number;
  /** The last failure since the start of the process. */
  lastFailure: { outcome: AttemptOutcome; at: number } | null;
}

interface Minute {
  number: number;
  calls: number;
  failures: number;
}

interface Seen {
  minutes: Minute[];
  lastFailure: RecentUse['lastFailure'];
}

/** Counts the calls of each provider by the minute, for admins who look whether a provider works. */
export class RecentCalls {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  observe({ provider, outcome }: ObservedCall): void {
    const seen = this.#seen.get(provider) ?? { minutes: [], lastFailure: null };
    this.#seen.set(provider, seen);
    const number = this.#minute();
    let minute = seen.minutes.at(-1);
    if (minute?.number !== number) {
      minute = { number, calls: 0, failures: 0 };
      seen.minutes = [...seen.minutes.filter((each) => this.#isRecent(each)), minute];
    }
    minute.calls++;
    if (outcome === 'ok' || outcome === 'stopped') return;
    minute.failures++;
    seen.lastFailure = { outcome, at: this.#clock.now() };
  }

  of(provider: string): RecentUse {
    const { minutes, lastFailure } = this.#seen.get(provider) ?? { minutes: [], lastFailure: null };
    const recent = minutes.filter((each) => this.#isRecent(each));
    return {
      calls: recent.reduce((sum, { calls }) => sum + calls, 0),
      failures: recent.reduce((sum, { failures }) => sum + failures, 0),
      lastFailure,
    };
  }

  #minute(): number {
    return Math.floor(this.#clock.monotonic() / MINUTE_MS);
  }

  #isRecent({ number }: Minute): boolean {
    return number > this.#minute() - RECENT_MINUTES;
  }
}
