import { z } from 'zod';
import { hoursSchema, type PriceHours } from './hours.ts';
import { modalities, usualModality, type Modality, type ModelType } from './modality.ts';
import { toRubles } from '../lib/money.ts';
import { storedCost, storedPrice } from './operator-cost.ts';
import { longAboveField, optionalPrices, requiredPrices } from '../lib/price-fields.ts';
import { freePrice, type OptionalField, type Price, type RequiredField } from '../lib/units.ts';

const factsSchema = z.object({
  /** The code of the provider. */
  provider: z.string(),
  /** The model's name at the provider. */
  model: z.string(),
  description: z.string(),
  descriptionFull: z.string(),
  alias: z.string().nullable(),
  type: z.enum(['TEXT', 'IMAGE']),
  /** Absent in versions older than this field. */
  modality: z.enum(modalities).optional(),
  maxInputTokens: z.int(),
  maxOutputTokens: z.int(),
  minTemperature: z.number(),
  maxTemperature: z.number(),
  chatAllowed: z.boolean(),
  /** Whether the model accepts images; absent: not known. */
  imagesAllowed: z.boolean().exactOptional(),
  /** Null: no price is set, so only admins may use the model. */
  price: storedPrice.nullable(),
  /** When other percentages of prices and cost apply; absent: never. */
  hours: hoursSchema.exactOptional(),
  /** Absent: what the operator pays is not known. */
  cost: storedCost.exactOptional(),
});

/** The content of one version of a model: what clients see, and its price. It is stored as JSON. */
export type ModelFacts = z.infer<typeof factsSchema> & { modality: Modality };
export type { ModelType } from './modality.ts';

/** The Model of the JSON interface. Prices are rubles, token prices per 1,000,000 tokens. */
export interface ModelView
  extends Record<RequiredField, number>, Partial<Record<OptionalField, number>> {
  id: number;
  code: string;
  model: string;
  description: string;
  description_full: string;
  model_alias: string | null;
  type: ModelType;
  modality: Modality;
  max_input_tokens: number;
  max_output_tokens: number;
  min_temperature: number;
  max_temperature: number;
  is_chat_mode_allowed: 0 | 1;
  is_image_input_allowed?: 0 | 1;
  [longAboveField]?: number;
  cost_hours?: PriceHours;
  cost_tokens_unit: 1000000;
  currency: 'RUB';
  /** False: no price is set, and the zeros above mean nothing. Only admins may use the model. */
  priced: boolean;
}

/** A dated version of a model; never changed once written. */
export interface ModelVersion {
  id: number;
  modelId: number;
  view: ModelView;
  /** The usual price. */
  price: Price | null;
  /** Absent: it has one price for all hours. */
  hours?: PriceHours;
}

export interface CatalogueModel extends ModelFacts {
  /** What the operator pays, in rubles; null: not known. */
  operatorPrice: Price | null;
  id: number;
  versionId: number;
  view: ModelView;
  /** The model has no price, or belongs to a sandbox that is not for everybody. */
  adminsOnly: boolean;
  /** Ids of the models to try in order if this one fails before its first byte. All of them are in use. */
  fallbacks: readonly number[];
  /** The bytes that `extra_body` adds to a request for a text, at the model's provider or a fallback's. */
  extraInputBytes: number;
}

/** The model's name in the compatible interfaces: its alias, or else provider and name. */
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
    modality: facts.modality,
    max_input_tokens: facts.maxInputTokens,
    max_output_tokens: facts.maxOutputTokens,
    min_temperature: facts.minTemperature,
    max_temperature: facts.maxTemperature,
    is_chat_mode_allowed: facts.chatAllowed ? 1 : 0,
    ...(facts.imagesAllowed !== undefined && {
      is_image_input_allowed: facts.imagesAllowed ? 1 : 0,
    }),
    ...pricesView(facts.price ?? freePrice),
    ...(facts.hours && { cost_hours: facts.hours }),
    cost_tokens_unit: 1000000,
    currency: 'RUB',
    priced: facts.price !== null,
  };
}

/** The prices without optional ones that the model does not have. */
function pricesView(price: Price) {
  const view: Partial<ModelView> = {};
  for (const { price: name, field } of requiredPrices) view[field] = toRubles(price[name]);
  if (price.longAbove !== undefined) view[longAboveField] = price.longAbove;
  for (const { price: name, field } of optionalPrices) {
    const amount = price[name];
    if (amount !== undefined) view[field] = toRubles(amount);
  }
  return view as Record<RequiredField, number> & Partial<ModelView>;
}

/** The facts of a stored version. @throws if the text has a different form */
export function fromSnapshot(text: string): ModelFacts {
  const facts = factsSchema.parse(JSON.parse(text));
  return { ...facts, modality: facts.modality ?? usualModality(facts.type) };
}
