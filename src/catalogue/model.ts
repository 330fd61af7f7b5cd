import { z } from 'zod';
import { toRubles } from '../lib/money.ts';
import type { Price } from '../lib/price.ts';

export type ModelType = 'TEXT' | 'IMAGE';

/** What one version of a model says: all that a client sees of it, and what it costs. */
export interface ModelFacts {
  /** The code of the provider. */
  provider: string;
  /** The model's name at the provider. */
  model: string;
  description: string;
  descriptionFull: string;
  alias: string | null;
  type: ModelType;
  maxInputTokens: number;
  maxOutputTokens: number;
  minTemperature: number;
  maxTemperature: number;
  chatAllowed: boolean;
  /** Null: no price was set, so that only admins may use the model. */
  price: Price | null;
}

/** The Model of the JSON interface. Prices are rubles, token prices per 1,000,000 tokens. */
export interface ModelView {
  id: number;
  code: string;
  model: string;
  description: string;
  description_full: string;
  model_alias: string | null;
  type: ModelType;
  max_input_tokens: number;
  max_output_tokens: number;
  min_temperature: number;
  max_temperature: number;
  is_chat_mode_allowed: 0 | 1;
  cost_input_tokens_rub: number;
  cost_output_tokens_rub: number;
  cost_input_fix_rub: number;
  cost_output_fix_rub: number;
  /** These three stand only where the model has such a price. */
  cost_cached_input_tokens_rub?: number;
  cost_cache_write_tokens_rub?: number;
  cost_reasoning_tokens_rub?: number;
  /** Above so many input tokens a request costs these prices; they too stand only where it has them. */
  long_context_above_tokens?: number;
  cost_long_input_tokens_rub?: number;
  cost_long_output_tokens_rub?: number;
  cost_long_cached_input_tokens_rub?: number;
  cost_long_cache_write_tokens_rub?: number;
  cost_long_reasoning_tokens_rub?: number;
  cost_tokens_unit: 1000000;
  currency: 'RUB';
  /** False: the zeros above are no prices; the model is usable by admins only until one is set. */
  priced: boolean;
}

/** A dated version of a model; never changed once written. */
export interface ModelVersion {
  id: number;
  modelId: number;
  view: ModelView;
  price: Price | null;
}

/** A model as it can be used now. */
export interface CatalogueModel {
  id: number;
  versionId: number;
  provider: string;
  model: string;
  type: ModelType;
  view: ModelView;
  price: Price | null;
  maxInputTokens: number;
  maxOutputTokens: number;
  minTemperature: number;
  maxTemperature: number;
  chatAllowed: boolean;
  /** Ids of the models to try in order when this one fails before its first byte; all of them live. */
  fallbacks: readonly number[];
}

/** The name that the compatible interfaces show a model by: its alias, or else provider and name. */
export function nameOf({ view }: { view: ModelView }): string {
  return view.model_alias ?? `${view.code}/${view.model}`;
}

/** The Model of the JSON interface: prices in rubles, those of tokens per 1,000,000 tokens. */
export function toView(id: number, facts: ModelFacts): ModelView {
  return {
    id,
    code: facts.provider,
    model: facts.model,
    description: facts.description,
    description_full: facts.descriptionFull,
    model_alias: facts.alias,
    type: facts.type,
    max_input_tokens: facts.maxInputTokens,
    max_output_tokens: facts.maxOutputTokens,
    min_temperature: facts.minTemperature,
    max_temperature: facts.maxTemperature,
    is_chat_mode_allowed: facts.chatAllowed ? 1 : 0,
    cost_input_tokens_rub: toRubles(facts.price?.inputTokens ?? 0),
    cost_output_tokens_rub: toRubles(facts.price?.outputTokens ?? 0),
    cost_input_fix_rub: toRubles(facts.price?.inputFix ?? 0),
    cost_output_fix_rub: toRubles(facts.price?.outputFix ?? 0),
    ...ownPrices(facts.price),
    cost_tokens_unit: 1000000,
    currency: 'RUB',
    priced: facts.price !== null,
  };
}

const ownFields = [
  ['cachedInputTokens', 'cost_cached_input_tokens_rub'],
  ['cacheWriteTokens', 'cost_cache_write_tokens_rub'],
  ['reasoningTokens', 'cost_reasoning_tokens_rub'],
  ['longInputTokens', 'cost_long_input_tokens_rub'],
  ['longOutputTokens', 'cost_long_output_tokens_rub'],
  ['longCachedInputTokens', 'cost_long_cached_input_tokens_rub'],
  ['longCacheWriteTokens', 'cost_long_cache_write_tokens_rub'],
  ['longReasoningTokens', 'cost_long_reasoning_tokens_rub'],
] as const satisfies readonly (readonly [keyof Price, keyof ModelView])[];

/** The prices that a model need not have. */
function ownPrices(price: Price | null): Partial<ModelView> {
  const view: Partial<ModelView> = {};
  for (const [part, field] of ownFields) {
    const amount = price?.[part];
    if (amount !== undefined) view[field] = toRubles(amount);
  }
  if (price?.longAbove !== undefined) view.long_context_above_tokens = price.longAbove;
  return view;
}

const amount = z.int().min(0);

const snapshotSchema = z.object({
  provider: z.string(),
  model: z.string(),
  description: z.string(),
  descriptionFull: z.string(),
  alias: z.string().nullable(),
  type: z.enum(['TEXT', 'IMAGE']),
  maxInputTokens: z.int(),
  maxOutputTokens: z.int(),
  minTemperature: z.number(),
  maxTemperature: z.number(),
  chatAllowed: z.boolean(),
  price: z
    .object({
      inputTokens: amount,
      outputTokens: amount,
      inputFix: amount,
      outputFix: amount,
      cachedInputTokens: amount.exactOptional(),
      cacheWriteTokens: amount.exactOptional(),
      reasoningTokens: amount.exactOptional(),
      longAbove: z.int().exactOptional(),
      longInputTokens: amount.exactOptional(),
      longOutputTokens: amount.exactOptional(),
      longCachedInputTokens: amount.exactOptional(),
      longCacheWriteTokens: amount.exactOptional(),
      longReasoningTokens: amount.exactOptional(),
    })
    .nullable(),
});

/** The text of a version's row. Amounts are whole micro-rubles, so it is exact. */
export function toSnapshot(facts: ModelFacts): string {
  return JSON.stringify(facts);
}

/** Reads the text of a version's row. @throws when it is not one */
export function fromSnapshot(text: string): ModelFacts {
  return snapshotSchema.parse(JSON.parse(text));
}
