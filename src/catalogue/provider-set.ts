import type { ModelFacts } from './model.ts';
import type { RoutingFacts } from './routing.ts';

/** A provider as a file, a preset or the product defines it; references are not substituted. */
export interface ProviderFacts {
  code: string;
  kind: string;
  /** Null: the standard address of the kind. */
  baseUrl: string | null;
  apiKey: string | null;
  timeoutSeconds: number;
  /** Options of some kinds, e.g. `folder`; stored in clear, so they must not be secret. */
  options: Readonly<Record<string, string>>;
  /** Undefined: one key, no limits. */
  routing?: RoutingFacts | undefined;
}

/** An option of a kind of provider. */
export interface ProviderOption {
  name: string;
  required?: boolean;
  /** The allowed values; absent: any text. */
  values?: readonly string[];
}

/** A provider that is part of the product, with its models. Their ids never change. */
export interface ProviderSet {
  provider: ProviderFacts;
  models: readonly { id: number; facts: ModelFacts }[];
}

/** A provider that is in use while all of these environment variables are set. */
export interface Preset extends ProviderSet {
  variables: readonly string[];
}
