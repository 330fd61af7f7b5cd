import type { WeightedKey } from '../lib/provider-setup.ts';
import type { ExtraBody } from './extra-body.ts';
import type { ModelFacts } from './model.ts';

/** A provider as a file, a preset or the program defines it; references are not substituted. */
export interface ProviderFacts {
  code: string;
  kind: string;
  /** Null: the standard address of the kind. */
  baseUrl: string | null;
  /** References, or keys in plain text. Calls are distributed over them; empty: the provider needs no key. */
  keys: readonly WeightedKey[];
  timeoutSeconds: number;
  /** Options of some kinds, e.g. `folder`; stored in plain text, so they must not be secret. */
  options: Readonly<Record<string, string>>;
  /** Sent with each call, under their names as written. References, or values in plain text. Absent: no headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Merged into the body of each request for a text; stored in plain text. Absent: no fields. */
  extraBody?: ExtraBody | undefined;
  /** Limits of each node's calls: concurrent, and begun within any 60 seconds. Absent: no limit. */
  maxConcurrent?: number | undefined;
  maxRequestsPerMinute?: number | undefined;
}

export interface ProviderOption {
  name: string;
  required?: boolean;
  /** The allowed values; absent: any text. */
  values?: readonly string[];
}

/** A provider that is part of the program, with its models. Their ids never change. */
export interface ProviderSet {
  provider: ProviderFacts;
  models: readonly { id: number; facts: ModelFacts }[];
}

/** A provider that is in use while all of these environment variables are set. */
export interface Preset extends ProviderSet {
  variables: readonly string[];
}
