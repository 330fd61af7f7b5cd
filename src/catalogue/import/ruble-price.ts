import type { Micro } from '../../lib/money.ts';
import { PRICE_MAX } from '../limits.ts';
import { tokenParts, tokenTotals, totalOf, type Price } from '../../lib/units.ts';
import type { ModelType } from '../model.ts';
import type { OperatorCost } from '../operator-cost.ts';
import { compare, product, roundedHalfUp, shifted, type Decimal } from '../../lib/decimal.ts';
import { highest, type ListPrices, type ListRow, type LongContext } from './price-list.ts';
import type { ImportOptions, Terms } from './terms.ts';

export interface Priced {
  kind: string;
  type: ModelType;
  maxInputTokens: number;
  price: Price | null;
  /** Its current cost, as far as it is known. */
  cost?: OperatorCost;
}

export type Pricing = { price: Price; cost: OperatorCost; usd: ListPrices } | { refusal: string };

/**
 * Prices higher than those of any model, in dollars per 1,000,000 tokens and per image: most likely the list gives them
 * for a different number of tokens.
 */
const USD_PER_MILLION_MAX: Decimal = { digits: 10_000n, exponent: 0 };
const USD_PER_PIECE_MAX: Decimal = { digits: 100n, exponent: 0 };

/** The kinds of provider that report cache writes; elsewhere they can't have a price. */
const reportsCacheWrites: ReadonlySet<string> = new Set(['openai', 'anthropic', 'ai-sdk']);

const zero: Decimal = { digits: 0n, exponent: 0 };
const one: Decimal = { digits: 1n, exponent: 0 };
const DOLLARS = 'USD';

type Factors = Pick<Terms, 'rate' | 'factor'>;

/**
 * The price of a model according to a row of a list, or the reason why it has no price. Each amount is dollars × rate ×
 * (1 + markup), computed exactly and rounded once, half up, to whole micro-rubles. The cost is the listed price in
 * dollars.
 */
export function rublePrice(
  row: ListRow,
  model: Priced,
  terms: Terms,
  { allowFree, longContext }: Pick<ImportOptions, 'allowFree' | 'longContext'>,
): Pricing {
  if (row.refusal !== undefined) return { refusal: row.refusal };
  const listed = row.prices[model.type];
  if (!listed) {
    const types = Object.keys(row.prices).join(' and ');
    return { refusal: `the list has it as ${types || 'something else'}, not as ${model.type}` };
  }
  const long = beyond(row, model);
  if (long?.problem !== undefined) return { refusal: long.problem };
  if (long && !takesLong(row, longContext)) return { refusal: tooLong(long, model) };
  const usd = long && longContext === 'highest' ? highest(listed, long.prices) : listed;
  const above = long && longContext === 'both' ? longUsd(listed, long.prices) : undefined;
  const refusal = missing(usd, model.type) ?? implausible(usd) ?? (above && implausible(above));
  if (refusal !== undefined) return { refusal };
  const priceOf = (of: Priced, at: Factors): Price => ({
    ...convert(usd, of, at),
    ...(above && long && { ...longPrices(convert(above, of, at)), longAbove: long.above }),
  });
  const price = priceOf(model, terms);
  const problem = amountProblem(Object.values(price), allowFree);
  if (problem !== undefined) return { refusal: problem };
  const amounts = priceOf({ ...model, price: null }, { rate: one, factor: one });
  return { price, cost: costAt(amounts, model, terms), usd };
}

/** The listed price without the markup. A cost in another currency was set by the operator, and stays. */
function costAt(amounts: Price, { cost: before }: Priced, { rate, date }: Terms): OperatorCost {
  if (before && before.currency !== DOLLARS) return before;
  const cost = {
    currency: DOLLARS,
    rate: Number(roundedHalfUp(shifted(rate, 6))),
    rateDate: date,
    amounts,
  };
  // A different day alone is not a change.
  return before && Bun.deepEquals({ ...cost, rateDate: before.rateDate }, before) ? before : cost;
}

function amountProblem(amounts: readonly Micro[], allowFree: boolean): string | undefined {
  if (amounts.some((amount) => amount > PRICE_MAX)) {
    return 'it would cost more than 100,000,000 ₽ per 1,000,000 tokens';
  }
  if (amounts.every((amount) => amount === 0) && !allowFree) {
    return 'it is listed as free: with --allow-free it becomes free for everybody';
  }
  return undefined;
}

/** The long prices of a row, if the model accepts inputs of that length. */
function beyond({ longContext }: ListRow, { maxInputTokens }: Priced): LongContext | undefined {
  return longContext && maxInputTokens > longContext.above ? longContext : undefined;
}

function tooLong({ above, steps }: LongContext, { maxInputTokens }: Priced): string {
  const taken = `it costs more above ${above} input tokens, and accepts ${maxInputTokens}`;
  return steps === 1
    ? `${taken}: lower its max_input_tokens, or take both prices with --long-context both`
    : `${taken}, in ${steps} steps: lower its max_input_tokens, or take the highest price with --long-context highest`;
}

/** Whether the import has a price for every length of input. */
export function takesLong({ longContext }: ListRow, wish: ImportOptions['longContext']): boolean {
  return wish === 'highest' || (wish === 'both' && longContext?.steps === 1);
}

/** Where the list has no long price for input or output, the usual price applies. */
function longUsd({ inputTokens, outputTokens }: ListPrices, long: ListPrices): ListPrices {
  return {
    ...long,
    inputTokens: long.inputTokens ?? inputTokens,
    outputTokens: long.outputTokens ?? outputTokens,
  };
}

function longPrices(price: Price): Partial<Price> {
  const long: Partial<Price> = {};
  for (const { price: usual, longPrice } of [...tokenTotals, ...tokenParts]) {
    const amount = price[usual];
    if (amount !== undefined) long[longPrice] = amount;
  }
  return long;
}

function missing(usd: ListPrices, type: ModelType): string | undefined {
  if (type === 'IMAGE') {
    return usd.outputFix || usd.outputTokens ? undefined : 'it has no price of an image';
  }
  if (!usd.inputTokens && !usd.outputTokens) return 'it has no price of tokens';
  if (!usd.inputTokens) return 'it has no price of input tokens';
  return usd.outputTokens ? undefined : 'it has no price of output tokens';
}

function implausible({ inputFix, outputFix, ...tokens }: ListPrices): string | undefined {
  if (isAnyAbove(Object.values(tokens), USD_PER_MILLION_MAX)) {
    return 'its price is above $10,000 per 1,000,000 tokens: is it written per another number of tokens?';
  }
  return isAnyAbove([inputFix, outputFix], USD_PER_PIECE_MAX)
    ? 'its price is above $100 a piece'
    : undefined;
}

function isAnyAbove(prices: readonly (Decimal | undefined)[], most: Decimal): boolean {
  return prices.some((price) => price !== undefined && compare(price, most) > 0);
}

/**
 * Converts a listed price. Amounts that the list lacks stay as the operator set them: the fixed charge of a request
 * and, except for images, of an answer. A part that costs as much as its total gets no price.
 */
function convert(usd: ListPrices, { kind, type, price: before }: Priced, terms: Factors): Price {
  const rubles = (amount: Decimal | undefined) => toMicro(amount ?? zero, terms);
  const price: Price = {
    inputTokens: rubles(usd.inputTokens),
    outputTokens: rubles(usd.outputTokens),
    inputFix: usd.inputFix ? rubles(usd.inputFix) : (before?.inputFix ?? 0),
    outputFix: type === 'IMAGE' ? rubles(usd.outputFix) : (before?.outputFix ?? 0),
  };
  for (const part of tokenParts) {
    const listed = usd[part.price];
    if (!listed || (part.count === 'cacheWriteTokens' && !chargesCacheWrites(listed, kind)))
      continue;
    const amount = rubles(listed);
    if (amount !== price[totalOf(part).price]) price[part.price] = amount;
  }
  return price;
}

/** If the list has a price of 0, nothing is charged on top: written tokens then cost as much as other input. */
function chargesCacheWrites(listed: Decimal, kind: string): boolean {
  return listed.digits > 0n && reportsCacheWrites.has(kind);
}

/** May be inexact for amounts far above `PRICE_MAX`, which are refused. */
function toMicro(usd: Decimal, { rate, factor }: Factors): Micro {
  return Number(roundedHalfUp(shifted(product(usd, rate, factor), 6)));
}
