/** What remains of one of a caller's limits, for the headers of the response. */
export interface Quota {
  of: 'requests' | 'tokens' | 'rubles';
  /** Whole units. */
  limit: number;
  /** Whole units, rounded down. */
  remaining: number;
  /** Null: a budget that does not renew. */
  windowSeconds: number | null;
  /** Until the window ends and the limit is full again; null: never. */
  resetSeconds: number | null;
}
