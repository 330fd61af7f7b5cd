import type { ModelType } from '../model.ts';
import { compare, type Decimal } from '../../lib/decimal.ts';

/** What a list says of a model's price in US dollars: of tokens per 1,000,000, else per piece. */
export interface ListPrices {
  input?: Decimal | undefined;
  output?: Decimal | undefined;
  cachedInput?: Decimal | undefined;
  cacheWrite?: Decimal | undefined;
  reasoning?: Decimal | undefined;
  perRequest?: Decimal | undefined;
  perImage?: Decimal | undefined;
}

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

/** Of two prices of each kind the higher one. A kind without a price of its own costs as the others. */
export function highest(first: ListPrices, second: ListPrices): ListPrices {
  const ownOr = (kind: 'cachedInput' | 'cacheWrite' | 'reasoning', usual: 'input' | 'output') =>
    first[kind] || second[kind]
      ? higher(first[kind] ?? first[usual], second[kind] ?? second[usual])
      : undefined;
  return {
    input: higher(first.input, second.input),
    output: higher(first.output, second.output),
    cachedInput: ownOr('cachedInput', 'input'),
    cacheWrite: ownOr('cacheWrite', 'input'),
    reasoning: ownOr('reasoning', 'output'),
    perRequest: higher(first.perRequest, second.perRequest),
    perImage: higher(first.perImage, second.perImage),
  };
}

function higher(first: Decimal | undefined, second: Decimal | undefined): Decimal | undefined {
  if (!first || !second) return first ?? second;
  return compare(first, second) < 0 ? second : first;
}
