/** How an operator set a provider up; secrets are already resolved. */
export interface ProviderSetup {
  code: string;
  kind: string;
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** For the whole call with the reading of its answer; fractions are fine. */
  timeoutSeconds: number;
  /** What only some kinds know, by the names that their row of the registry declares. */
  options: Readonly<Record<string, string>>;
  /** Absent: one key, no limits. */
  routing?: ProviderRouting | undefined;
}

/** How calls to one provider are spread and bounded, by each node for itself. */
export interface ProviderRouting {
  /** Keys that take turns by their weights, in place of `apiKey`; empty: `apiKey` alone. */
  keys: readonly WeightedKey[];
  /** Calls on their way at once; undefined: any number. */
  maxConcurrent: number | undefined;
  /** Calls that begin within any 60 seconds; undefined: any number. */
  maxRequestsPerMinute: number | undefined;
}

export interface WeightedKey {
  key: string;
  /** Its share of the calls, relative to those of the others. */
  weight: number;
}
