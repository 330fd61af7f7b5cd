/** What of a limit is left, as callers are told it. */
export interface Quota {
  of: 'requests' | 'tokens' | 'rubles';
  /** Whole units. */
  limit: number;
  /** Whole units, rounded down. */
  remaining: number;
  windowSeconds: number;
  /** Until the window ends and all of it is there again. */
  resetSeconds: number;
}
