/**
 * How to reach a provider, as the catalogue has it and the providers use it. It contains secrets: never log or print it.
 */
export interface ProviderSetup {
  code: string;
  kind: string;
  /** Undefined: the standard address of the kind. */
  baseUrl: string | undefined;
  /** The first of its keys. */
  apiKey: string | undefined;
  /** Time limit of a whole call, including its answer; may be a fraction. */
  timeoutSeconds: number;
  /** The options that the registry of providers declares for the kind. */
  options: Readonly<Record<string, string>>;
  /** Sent with each call, by their names in lower case. They may be secret. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Merged into the body of each request for a text. */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** Absent: one key, no limits. */
  routing?: ProviderRouting | undefined;
}

/** How each node distributes and limits its calls to a provider. */
export interface ProviderRouting {
  /** Keys that take turns by their weights, instead of `apiKey`; empty: only `apiKey`. */
  keys: readonly WeightedKey[];
  /** Most concurrent calls; undefined: no limit. */
  maxConcurrent: number | undefined;
  /** Most calls that begin within any 60 seconds; undefined: no limit. */
  maxRequestsPerMinute: number | undefined;
}

export interface WeightedKey {
  key: string;
  /** Its share of the calls, relative to the other keys. */
  weight: number;
}
