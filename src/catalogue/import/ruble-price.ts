import type { Micro } from '../../lib/money.ts';
import { PRICE_MAX } from '../limits.ts';
import type { Price } from '../../lib/price.ts';
import type { ModelType } from '../model.ts';
import { compare, product, roundedHalfUp, shifted, type Decimal } from '../../lib/decimal.ts';
import { highest, type ListPrices, type ListRow, type LongContext } from './price-list.ts';
import type { ImportAsk, Terms } from './terms.ts';

/** The model that a price is for. */
export interface Priced {
  /** The kind of its provider. */
  kind: string;
  type: ModelType;
  maxInputTokens: number;
  /** What it costs now; null: nothing was set yet. */
  price: Price | null;
}

export type Pricing = { price: Price; usd: ListPrices } | { refusal: string };

/**
 * Prices beyond what any model costs, in dollars per 1,000,000 tokens and per image: most likely written per
 * another number of tokens than the list says.
 */
const USD_PER_MILLION_MAX: Decimal = { digits: 10_000n, exponent: 0 };
const USD_PER_PIECE_MAX: Decimal = { digits: 100n, exponent: 0 };

/** The dialects in which a provider tells what it wrote into its cache; elsewhere that has no price. */
const tellsCacheWrites: ReadonlySet<string> = new Set(['openai', 'anthropic', 'ai-sdk']);

const zero: Decimal = { digits: 0n, exponent: 0 };

/**
 * The price of a model by a row of a list, or why it has none. Each part of it is
 * dollars × rate × (1 + markup), computed exactly and rounded half up to whole micro-rubles, once.
 */
export function rublePrice(
  row: ListRow,
  model: Priced,
  terms: Terms,
  { allowFree, longContext }: Pick<ImportAsk, 'allowFree' | 'longContext'>,
): Pricing {
  if (row.refusal !== undefined) return { refusal: row.refusal };
  const told = row.prices[model.type];
  if (!told) {
    const types = Object.keys(row.prices).join(' and ');
    return { refusal: `the list has it as ${types || 'something else'}, not as ${model.type}` };
  }
  const long = beyond(row, model);
  if (long?.problem !== undefined) return { refusal: long.problem };
  if (long && !takesLong(row, longContext)) return { refusal: tooLong(long, model) };
  const usd = long && longContext === 'highest' ? highest(told, long.prices) : told;
  const above = long && longContext === 'both' ? longUsd(told, long.prices) : undefined;
  const refusal = missing(usd, model.type) ?? implausible(usd) ?? (above && implausible(above));
  if (refusal !== undefined) return { refusal };
  const longPrice = above && longPrices(convert(above, model, terms));
  const price = { ...convert(usd, model, terms), ...longPrice };
  const refused = oddAmount(Object.values(price), allowFree);
  if (refused !== undefined) return { refusal: refused };
  return { price: longPrice && long ? { ...price, longAbove: long.above } : price, usd };
}

function oddAmount(amounts: readonly Micro[], allowFree: boolean): string | undefined {
  if (amounts.some((amount) => amount > PRICE_MAX)) {
    return 'it would cost more than 100,000,000 ₽ per 1,000,000 tokens';
  }
  if (amounts.every((amount) => amount === 0) && !allowFree) {
    return 'it is listed as free: with --allow-free it becomes free for everybody';
  }
  return undefined;
}

/** What the row costs above some length, where the model takes as much. */
function beyond({ longContext }: ListRow, { maxInputTokens }: Priced): LongContext | undefined {
  return longContext && maxInputTokens > longContext.above ? longContext : undefined;
}

function tooLong({ above, steps }: LongContext, { maxInputTokens }: Priced): string {
  const taken = `it costs more above ${above} input tokens, and takes ${maxInputTokens}`;
  return steps === 1
    ? `${taken}: lower its max_input_tokens, or take both prices with --long-context both`
    : `${taken}, in ${steps} steps: lower its max_input_tokens, or take the highest price with --long-context highest`;
}

/** Whether the row gives a price for every length of input. */
export function takesLong({ longContext }: ListRow, wish: ImportAsk['longContext']): boolean {
  return wish === 'highest' || (wish === 'both' && longContext?.steps === 1);
}

/** Input and output of which the list tells no long price cost as they always do. */
function longUsd({ input, output }: ListPrices, long: ListPrices): ListPrices {
  return { ...long, input: long.input ?? input, output: long.output ?? output };
}

function longPrices(price: Price) {
  const { cachedInputTokens, cacheWriteTokens, reasoningTokens } = price;
  return {
    longInputTokens: price.inputTokens,
    longOutputTokens: price.outputTokens,
    ...(cachedInputTokens !== undefined && { longCachedInputTokens: cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { longCacheWriteTokens: cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { longReasoningTokens: reasoningTokens }),
  };
}

function missing(usd: ListPrices, type: ModelType): string | undefined {
  if (type === 'IMAGE') {
    return usd.perImage || usd.output ? undefined : 'it has no price of an image';
  }
  if (!usd.input && !usd.output) return 'it has no price of tokens';
  if (!usd.input) return 'it has no price of input tokens';
  return usd.output ? undefined : 'it has no price of output tokens';
}

function implausible({ perRequest, perImage, ...tokens }: ListPrices): string | undefined {
  const ofTokens = Object.values(tokens).filter((price) => price !== undefined);
  if (ofTokens.some((price) => compare(price, USD_PER_MILLION_MAX) > 0)) {
    return 'its price is above $10,000 per 1,000,000 tokens: is it written per another number of tokens?';
  }
  const pieces = [perRequest, perImage].filter((price) => price !== undefined);
  return pieces.some((price) => compare(price, USD_PER_PIECE_MAX) > 0)
    ? 'its price is above $100 a piece'
    : undefined;
}

/**
 * What the list does not speak of stays as the operator set it: what a request costs at once and, but for
 * images, an answer. A kind of token that costs as the others needs no price of its own.
 */
function convert(usd: ListPrices, { kind, type, price }: Priced, terms: Terms): Price {
  const rubles = (amount: Decimal) => toMicro(amount, terms);
  const inputTokens = rubles(usd.input ?? zero);
  const outputTokens = rubles(usd.output ?? zero);
  const perImage = usd.perImage ? rubles(usd.perImage) : 0;
  const own = (amount: Decimal | undefined, usual: Micro) => {
    const micro = amount && rubles(amount);
    return micro === usual ? undefined : micro;
  };
  const cachedInputTokens = own(usd.cachedInput, inputTokens);
  // Where writing into a cache is listed at nothing, nothing is charged on top: it costs as other input.
  const isWritten = usd.cacheWrite?.digits && tellsCacheWrites.has(kind);
  const cacheWriteTokens = isWritten ? own(usd.cacheWrite, inputTokens) : undefined;
  const reasoningTokens = own(usd.reasoning, outputTokens);
  return {
    inputTokens,
    outputTokens,
    inputFix: usd.perRequest ? rubles(usd.perRequest) : (price?.inputFix ?? 0),
    outputFix: type === 'IMAGE' ? perImage : (price?.outputFix ?? 0),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

/** Beyond exact numbers it is beyond `PRICE_MAX` as well, so that no digit matters then. */
function toMicro(usd: Decimal, { rate, factor }: Terms): Micro {
  return Number(roundedHalfUp(shifted(product(usd, rate, factor), 6)));
}
