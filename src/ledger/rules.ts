/**
 * The rules of money, pure: what a call may cost, whether a hold may be taken, what is charged.
 * All amounts are micro-rubles, all prices micro-rubles per 1,000,000 tokens.
 */
import { AMOUNT_MAX, costOfTokenKinds, costOfTokens, type Micro } from '../lib/money.ts';
import type { Price } from '../lib/price.ts';

/** The token prices for one length of input. Each of the last three, if absent: as plain input or output. */
interface TokenPrices {
  inputTokens: Micro;
  outputTokens: Micro;
  cachedInputTokens?: Micro | undefined;
  cacheWriteTokens?: Micro | undefined;
  reasoningTokens?: Micro | undefined;
}

/** The tokens that a call used. A part that is null or absent counts as 0. */
export interface UsedTokens {
  promptTokens: number;
  completionTokens: number;
  /** Those of promptTokens that were read from the provider's cache. */
  cachedTokens?: number | null;
  /** Those of promptTokens that were written into it. */
  cacheWriteTokens?: number | null;
  /** Those of completionTokens that are reasoning. */
  reasoningTokens?: number | null;
}

export interface Cost {
  request: Micro;
  response: Micro;
}

/** The part of a user's account that the rules look at. */
export interface Funds {
  balance: Micro;
  held: Micro;
  /** How far below zero the balance may go. */
  creditLimit: Micro;
}

/** What a call may use at the most. */
export interface HoldAsk {
  price: Price;
  inputTokensMax: number;
  outputTokensMax: number;
  /** Above 0: the caller named no cap, so a smaller one may be taken, down to this many tokens. */
  reducibleTo: number;
  /** True for a model that gets no cap, so that a smaller one saves nothing: image models. */
  isUncapped?: boolean;
}

export type HoldDecision =
  | { granted: true; amount: Micro; outputTokensMax: number }
  | { granted: false; needed: Micro; available: Micro; affordableOutputTokens: number };

/** When the caller named no cap, the smallest cap that is still worth an answer, in tokens. */
export const REDUCED_CAP_MIN = 256;

/**
 * cost = fix + the sum of tokens × price / 1,000,000 over the kinds of token that have a price of their own,
 * request and response each rounded half up, once.
 */
export function costOf(price: Price, used: UsedTokens): Cost {
  const { promptTokens, completionTokens } = used;
  const tokenPrices: TokenPrices = isLong(price, promptTokens) ? longPrices(price) : price;
  const { inputTokens, outputTokens } = tokenPrices;
  // A part is never more than its whole, whatever a provider told.
  const cached = Math.min(used.cachedTokens ?? 0, promptTokens);
  const written = Math.min(used.cacheWriteTokens ?? 0, promptTokens - cached);
  const thought = Math.min(used.reasoningTokens ?? 0, completionTokens);
  if (cached + written + thought === 0) {
    // One kind each, as nearly always: the same sums without lists.
    return {
      request: price.inputFix + costOfTokens(promptTokens, inputTokens),
      response: price.outputFix + costOfTokens(completionTokens, outputTokens),
    };
  }
  const input = costOfTokenKinds([
    [promptTokens - cached - written, inputTokens],
    [cached, tokenPrices.cachedInputTokens ?? inputTokens],
    [written, tokenPrices.cacheWriteTokens ?? inputTokens],
  ]);
  const output = costOfTokenKinds([
    [completionTokens - thought, outputTokens],
    [thought, tokenPrices.reasoningTokens ?? outputTokens],
  ]);
  return { request: price.inputFix + input, response: price.outputFix + output };
}

function isLong({ longAbove }: Price, promptTokens: number): boolean {
  return longAbove !== undefined && promptTokens > longAbove;
}

function longPrices(price: Price): TokenPrices {
  return {
    inputTokens: price.longInputTokens ?? price.inputTokens,
    outputTokens: price.longOutputTokens ?? price.outputTokens,
    cachedInputTokens: price.longCachedInputTokens,
    cacheWriteTokens: price.longCacheWriteTokens,
    reasoningTokens: price.longReasoningTokens,
  };
}

/** What an empty or refused answer costs: by the usage that the provider told, no fix for an answer. */
export function costWithoutAnswer(price: Price, used: UsedTokens): Cost {
  return costOf({ ...price, outputFix: 0 }, used);
}

/**
 * The most that a call can cost: each token is taken as one of the most expensive kind, and the input as long or short,
 * whichever costs more.
 */
export function worstCase(ask: HoldAsk, outputTokensMax = ask.outputTokensMax): Micro {
  const { price, inputTokensMax } = ask;
  const usual = dearestTokens(price, inputTokensMax, outputTokensMax);
  const tokens = isLong(price, inputTokensMax)
    ? Math.max(usual, dearestTokens(longPrices(price), inputTokensMax, outputTokensMax))
    : usual;
  return price.inputFix + price.outputFix + tokens;
}

function dearestTokens(prices: TokenPrices, inputTokens: number, outputTokens: number): Micro {
  const { cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = prices;
  const input = Math.max(prices.inputTokens, cachedInputTokens, cacheWriteTokens);
  const output = Math.max(prices.outputTokens, reasoningTokens);
  return costOfTokens(inputTokens, input) + costOfTokens(outputTokens, output);
}

/** What can still be spent: never below zero, and never so much that the holds together exceed the range of amounts. */
export function availableOf(funds: Funds): Micro {
  return Math.max(0, Math.min(funds.balance + funds.creditLimit, AMOUNT_MAX) - funds.held);
}

/** The one rule: may this hold be taken from these funds? */
export function decideHold(funds: Funds, ask: HoldAsk): HoldDecision {
  const available = availableOf(funds);
  const needed = worstCase(ask);
  if (needed <= available) {
    return { granted: true, amount: needed, outputTokensMax: ask.outputTokensMax };
  }
  const affordable = affordableOutputTokens(available, ask);
  if (ask.reducibleTo > 0 && affordable >= ask.reducibleTo) {
    return { granted: true, amount: worstCase(ask, affordable), outputTokensMax: affordable };
  }
  return { granted: false, needed, available, affordableOutputTokens: affordable };
}

/** The largest output cap whose worst case fits into `available`; 0 when not even one token does, or no cap helps. */
export function affordableOutputTokens(available: Micro, ask: HoldAsk): number {
  if (ask.isUncapped || worstCase(ask, 0) > available) return 0;
  let fits = 0;
  let tooMany = ask.outputTokensMax + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (worstCase(ask, middle) <= available) fits = middle;
    else tooMany = middle;
  }
  return fits;
}

/**
 * Keeps a charge within its hold: cuts the response's cost first.
 * @returns the cost to charge, and whether anything was cut
 */
export function withinHold(cost: Cost, hold: Micro): Cost & { cut: boolean } {
  if (cost.request + cost.response <= hold) return { ...cost, cut: false };
  const request = Math.min(cost.request, hold);
  return { request, response: hold - request, cut: true };
}

/** Of two costs of the same answer the lower in total; the first when they are equal. */
export function lowerOf(first: Cost, second: Cost): Cost {
  return second.request + second.response < first.request + first.response ? second : first;
}
