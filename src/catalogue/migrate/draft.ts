/** What the configuration of another gateway is converted to, before limits and prices are known. */
import type { Fields } from '../import/fields.ts';
import type { Modality } from '../modality.ts';

/** A provider in the fields of a catalogue file. */
export interface ProviderDraft {
  kind: string;
  base_url?: string | undefined;
  api_key?: string | undefined;
  api_keys?: { key: string; weight?: number }[] | undefined;
  timeout_seconds?: number | undefined;
  options?: Record<string, string> | undefined;
  headers?: Record<string, string> | undefined;
  extra_body?: Fields | undefined;
}

export interface ModelDraft {
  /** How the other gateway names the row, for the report. */
  name: string;
  /** The name that clients send. Rows with the same name serve as fallbacks for each other. */
  alias: string;
  /** The code for its provider, if it is not taken. */
  code: string;
  provider: ProviderDraft;
  /** The name at the provider. */
  model: string;
  /** Undefined: the modality in the price list, or else text. */
  modality: Modality | undefined;
  /**
   * The row of the price list by which the other gateway charges the model; undefined: the row of its provider and
   * model.
   */
  listed?: string | undefined;
  /** Its limits and prices in the fields of LiteLLM's price list, as far as the row has them. */
  facts: Fields;
  /** Fields of the row that have no equivalent here. */
  left: readonly string[];
}

export interface RefusedRow {
  name: string;
  reason: string;
}

/** Models that answer instead of another one. */
export interface FallbackDraft {
  name: string;
  /** The alias of the requested model. */
  requested: string;
  /** Aliases in the order in which they are called. */
  fallbacks: readonly string[];
}

export type Draft = ModelDraft | FallbackDraft | RefusedRow;

export function isFallback(draft: Draft): draft is FallbackDraft {
  return 'fallbacks' in draft;
}

export function isRefused(draft: Draft): draft is RefusedRow {
  return 'reason' in draft;
}
