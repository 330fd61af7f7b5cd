import type { Micro } from './money.ts';

/** What one model costs: micro-rubles, those of tokens per 1,000,000 of them. */
export interface Price {
  inputTokens: Micro;
  outputTokens: Micro;
  /** Once a request. */
  inputFix: Micro;
  /** Once an answer; for image models once an image. */
  outputFix: Micro;
  /** Of prompt tokens that were read from the provider's cache; absent: as the other input. */
  cachedInputTokens?: Micro;
  /** Of prompt tokens that were written into its cache; absent: as the other input. */
  cacheWriteTokens?: Micro;
  /** Of reasoning tokens, which are part of the completion; absent: as the other output. */
  reasoningTokens?: Micro;
  /** A call with more prompt tokens than this is charged at the five prices below as a whole; absent: no call is. */
  longAbove?: number;
  longInputTokens?: Micro;
  longOutputTokens?: Micro;
  /** Each of these three, if absent: as the long input or output. */
  longCachedInputTokens?: Micro;
  longCacheWriteTokens?: Micro;
  longReasoningTokens?: Micro;
}

/** Also the price of a model without one: only admins may use it, and it costs nothing. */
export const freePrice: Price = { inputTokens: 0, outputTokens: 0, inputFix: 0, outputFix: 0 };
