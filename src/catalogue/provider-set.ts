import type { ModelFacts } from './model.ts';
import type { RoutingFacts } from './routing.ts';

/** A provider as a file, a preset or the product itself defines it; references are not resolved. */
export interface ProviderFacts {
  code: string;
  kind: string;
  /** Null: the standard address of the kind. */
  baseUrl: string | null;
  apiKey: string | null;
  timeoutSeconds: number;
  /** What only some kinds know, e.g. `folder`; in clear, so nothing secret. */
  options: Readonly<Record<string, string>>;
  /** Undefined: one key, no limits. */
  routing?: RoutingFacts | undefined;
}

/** An option that a kind of provider knows. */
export interface ProviderOption {
  name: string;
  required?: boolean;
  /** The only values that it takes; absent: any text. */
  values?: readonly string[];
}

/** A provider that comes with the product, with its models and their ids, which never change. */
export interface ProviderSet {
  provider: ProviderFacts;
  models: readonly { id: number; facts: ModelFacts }[];
}

/** A provider that environment variables switch on, all of them together. */
export interface Preset extends ProviderSet {
  variables: readonly string[];
}
