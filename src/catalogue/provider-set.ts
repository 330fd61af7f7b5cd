import type { ModelFacts } from './model.ts';

/** A provider as a file, a preset or the product itself defines it; references are not resolved. */
export interface ProviderFacts {
  code: string;
  kind: string;
  /** Null: the standard address of the kind. */
  baseUrl: string | null;
  apiKey: string | null;
  timeoutSeconds: number;
}

/** A provider that comes with the product, with its models and their ids, which never change. */
export interface ProviderSet {
  provider: ProviderFacts;
  models: readonly { id: number; facts: ModelFacts }[];
}

/** A provider that one environment variable switches on. */
export interface Preset extends ProviderSet {
  variable: string;
}
