/**
 * The rules of money, as pure functions: what a call may cost, whether a hold is granted, what is charged. Amounts are
 * micro-rubles, prices micro-rubles per 1,000,000 tokens.
 */
import { AMOUNT_MAX, costOfTokenKinds, costOfTokens, type Micro } from '../lib/money.ts';
import {
  measures,
  tokenParts,
  tokenTotals,
  type Measure,
  type Price,
  type TokenPart,
  type TokenTotal,
  type UsedTokens,
} from '../lib/units.ts';

export interface Cost {
  request: Micro;
  response: Micro;
}

/** The part of an account that the rules need. */
export interface Funds {
  balance: Micro;
  held: Micro;
  /** How far below zero the balance may go. */
  creditLimit: Micro;
}

/** The most that a call may use. */
export interface HoldBounds {
  price: Price;
  inputTokensMax: number;
  outputTokensMax: number;
  /** Above 0 if the caller set no cap: the cap may be reduced to this many tokens. */
  reducibleTo: number;
  /** True for models without an output cap, such as image models, so that a smaller cap saves nothing. */
  isUncapped?: boolean;
  /** How many answers are requested, each of up to this many output tokens; absent: one. */
  answers?: number;
  /** The most units other than tokens that the request can have. */
  measured?: Measured | undefined;
}

/** Counts of units other than tokens. */
export type Measured = Partial<Record<Measure['count'], number>>;

export type HoldDecision =
  | { granted: true; amount: Micro; outputTokensMax: number }
  | { granted: false; needed: Micro; available: Micro; affordableOutputTokens: number };

/** The smallest cap that is still useful for an answer, in tokens, if the caller set none. */
export const REDUCED_CAP_MIN = 256;

/** A total of tokens, with the parts that may have separate prices. */
interface Side {
  total: TokenTotal;
  parts: readonly TokenPart[];
}

const prompt = sideOf(tokenTotals[0]);
const completion = sideOf(tokenTotals[1]);

function sideOf(total: TokenTotal): Side {
  return { total, parts: tokenParts.filter(({ partOf }) => partOf === total.count) };
}

/**
 * cost = fixed charge + the sum of tokens × price / 1,000,000 over the parts of the total and the rest of it,
 * request and response each rounded once (`costOfTokenKinds`).
 */
export function costOf(price: Price, used: UsedTokens): Cost {
  const long = isLong(price, used.promptTokens);
  return {
    request: price.inputFix + costOfSide(prompt, price, long, used),
    response: price.outputFix + costOfSide(completion, price, long, used),
  };
}

function costOfSide({ total, parts }: Side, price: Price, long: boolean, used: UsedTokens): Micro {
  const usual = totalPrice(total, price, long);
  let rest = used[total.count];
  let kinds: Kinds | undefined;
  for (const part of parts) {
    const reported = used[part.count];
    if (!reported) continue;
    // A provider may report a part larger than its total.
    const tokens = Math.min(reported, rest);
    rest -= tokens;
    kinds ??= [];
    kinds.push([tokens, price[long ? part.longPrice : part.price] ?? usual]);
  }
  if (total === prompt.total) kinds = withMeasured(kinds, price, used);
  if (!kinds) return costOfTokens(rest, usual);
  kinds.push([rest, usual]);
  return costOfTokenKinds(kinds);
}

type Kinds = [units: number, price: Micro][];

/** Adds units other than tokens to the kinds of the request. */
function withMeasured(
  kinds: Kinds | undefined,
  price: Price,
  used: { readonly [Name in Measure['count']]?: number | null },
): Kinds | undefined {
  let all = kinds;
  for (const measure of measures) {
    const units = used[measure.count];
    if (units) (all ??= []).push([units, price[measure.price] ?? 0]);
  }
  return all;
}

function totalPrice(total: TokenTotal, price: Price, long: boolean): Micro {
  return (long ? price[total.longPrice] : undefined) ?? price[total.price];
}

function isLong({ longAbove }: Price, promptTokens: number): boolean {
  return longAbove !== undefined && promptTokens > longAbove;
}

/**
 * The cost of an empty or refused answer: by the usage that the provider reported, without the fixed charge for an
 * answer.
 */
export function costWithoutAnswer(price: Price, used: UsedTokens): Cost {
  return costOf({ ...price, outputFix: 0 }, used);
}

/**
 * The most that a call can cost: all tokens of a total count as the most expensive kind, and the input as long or not,
 * whichever costs more.
 */
export function worstCase(bounds: HoldBounds, outputTokensMax = bounds.outputTokensMax): Micro {
  const { price, inputTokensMax, answers = 1 } = bounds;
  const output = outputTokensMax * answers;
  const usual = highestCost(bounds, false, output);
  const tokens = isLong(price, inputTokensMax)
    ? Math.max(usual, highestCost(bounds, true, output))
    : usual;
  return price.inputFix + price.outputFix + tokens;
}

function highestCost(bounds: HoldBounds, long: boolean, output: number): Micro {
  const { price, inputTokensMax: input, measured } = bounds;
  const inputPrice = highestPrice(prompt, price, long);
  const request = measured
    ? costOfTokenKinds(withMeasured([[input, inputPrice]], price, measured) ?? [])
    : costOfTokens(input, inputPrice);
  return request + costOfTokens(output, highestPrice(completion, price, long));
}

function highestPrice({ total, parts }: Side, price: Price, long: boolean): Micro {
  let highest = totalPrice(total, price, long);
  for (const part of parts) {
    highest = Math.max(highest, price[long ? part.longPrice : part.price] ?? 0);
  }
  return highest;
}

/** What can still be spent: at least 0, and never so much that the sum of the holds goes out of range. */
export function availableOf(funds: Funds): Micro {
  return Math.max(0, Math.min(funds.balance + funds.creditLimit, AMOUNT_MAX) - funds.held);
}

/** Decides whether these funds cover a hold, if need be with a smaller cap. */
export function decideHold(funds: Funds, bounds: HoldBounds): HoldDecision {
  const available = availableOf(funds);
  const needed = worstCase(bounds);
  if (needed <= available) {
    return { granted: true, amount: needed, outputTokensMax: bounds.outputTokensMax };
  }
  const affordable = affordableOutputTokens(available, bounds);
  if (bounds.reducibleTo > 0 && affordable >= bounds.reducibleTo) {
    return { granted: true, amount: worstCase(bounds, affordable), outputTokensMax: affordable };
  }
  return { granted: false, needed, available, affordableOutputTokens: affordable };
}

/**
 * The largest output cap whose worst case fits into `available`; 0 if not even one token fits, or a cap does not help.
 */
export function affordableOutputTokens(available: Micro, bounds: HoldBounds): number {
  if (bounds.isUncapped || worstCase(bounds, 0) > available) return 0;
  let fits = 0;
  let tooMany = bounds.outputTokensMax + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (worstCase(bounds, middle) <= available) fits = middle;
    else tooMany = middle;
  }
  return fits;
}

/**
 * Reduces a cost to the hold, first that of the response.
 * @returns the cost to charge, and the amount by which it was reduced
 */
export function withinHold(cost: Cost, hold: Micro): Cost & { lost: Micro } {
  const lost = Math.max(0, cost.request + cost.response - hold);
  const request = lost === 0 ? cost.request : Math.min(cost.request, hold);
  return { request, response: lost === 0 ? cost.response : hold - request, lost };
}

/** The lower of two costs of the same answer; the first if they are equal. */
export function lowerOf(first: Cost, second: Cost): Cost {
  return second.request + second.response < first.request + first.response ? second : first;
}
