/** What is left of one of a caller's limits, for the answer's headers. */
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
