import type { ModelType } from '../model.ts';
import { compare, type Decimal } from '../../lib/decimal.ts';
import { requiredPrices, tokenParts, totalOf, type BasePrice } from '../../lib/units.ts';

/** A price in US dollars as a list has it: per 1,000,000 tokens, per request (`inputFix`), per image (`outputFix`). */
export type ListPrices = Partial<Record<BasePrice, Decimal | undefined>>;

/** What long inputs cost. */
export interface LongContext {
  /** Input tokens. */
  above: number;
  /** Where there are more steps than one, the highest of them all. */
  prices: ListPrices;
  steps: number;
  /** What of these prices is none, e.g. `input is no price`. */
  problem: string | undefined;
}

/** One model of a price list, whatever the list's format. */
export interface ListRow {
  /** The list's name of the provider, e.g. `google`. */
  source: string;
  /** As the row is called in the list. */
  key: string;
  /** The model's name at the provider. */
  model: string;
  /** For people. */
  title: string;
  /** By the type of model that the price is for; a model that writes and draws may have both. */
  prices: Partial<Record<ModelType, ListPrices>>;
  /** Undefined: an input costs the same whatever its length. */
  longContext: LongContext | undefined;
  limits: { input: number; output: number } | undefined;
  /** False: the model takes no temperature but its own. */
  takesTemperature: boolean;
  /** Why the row gives no price at all. */
  refusal: string | undefined;
  /** Why a model can't be made of it, although its price is right for one that is there. */
  notAddable: string | undefined;
}

/** A provider of a list. */
export interface ListSource {
  name: string;
  /** The address of its API, where the list tells it. */
  api: string | undefined;
}

export type ListFormat = 'models.dev' | 'LiteLLM';

export interface PriceList {
  format: ListFormat;
  sources: ListSource[];
  rows: ListRow[];
}

/** The higher of two prices, unit by unit. A part without a price costs as much as its total. */
export function highest(first: ListPrices, second: ListPrices): ListPrices {
  const prices: ListPrices = {};
  for (const { price } of requiredPrices) prices[price] = higher(first[price], second[price]);
  for (const part of tokenParts) {
    const { price } = part;
    const total = totalOf(part).price;
    if (first[price] || second[price]) {
      prices[price] = higher(first[price] ?? first[total], second[price] ?? second[total]);
    }
  }
  return prices;
}

function higher(first: Decimal | undefined, second: Decimal | undefined): Decimal | undefined {
  if (!first || !second) return first ?? second;
  return compare(first, second) < 0 ? second : first;
}
