/**
 * The priced units: everything that a model's price can charge for, with the names of each. The schemas of the
 * catalogue file and of the API, their views, the changes that `catalogue apply` prints, the arithmetic of a charge and
 * the columns of counts are all derived from these tables. CONTRIBUTING.md explains how to add a unit.
 */
import type { Micro } from './money.ts';

interface Unit {
  /** The price in the code and in the stored price. */
  price: string;
  /** The price in the catalogue file and the API. */
  field: string;
  meaning: string;
  /** The price's column in `catalogue show`. */
  heading: string;
}

interface TokenUnit extends Unit {
  /** The count in the code, from a provider's usage to the history. */
  count: string;
  /** The count in the API, and its column in `messages`. */
  column: string;
  /** `price` and `field` of a request above `long_context_above_tokens`. */
  longPrice: string;
  longField: string;
}

/** Every token of a call is counted in one of these two. */
export const tokenTotals = [
  {
    count: 'promptTokens',
    column: 'prompt_tokens',
    price: 'inputTokens',
    field: 'cost_input_tokens_rub',
    longPrice: 'longInputTokens',
    longField: 'cost_long_input_tokens_rub',
    meaning: 'prompt tokens',
    heading: 'IN /M',
  },
  {
    count: 'completionTokens',
    column: 'completion_tokens',
    price: 'outputTokens',
    field: 'cost_output_tokens_rub',
    longPrice: 'longOutputTokens',
    longField: 'cost_long_output_tokens_rub',
    meaning: 'completion tokens',
    heading: 'OUT /M',
  },
] as const satisfies readonly TokenUnit[];

/**
 * Tokens that a total includes. If a model has no price for them, they cost as much as the rest of the total. A token
 * belongs to at most one part: if a provider reports parts that exceed the total, the earlier rows count.
 */
export const tokenParts = [
  {
    count: 'cachedTokens',
    partOf: 'promptTokens',
    column: 'cached_tokens',
    price: 'cachedInputTokens',
    field: 'cost_cached_input_tokens_rub',
    longPrice: 'longCachedInputTokens',
    longField: 'cost_long_cached_input_tokens_rub',
    meaning: "prompt tokens read from the provider's cache",
    heading: 'CACHED /M',
  },
  {
    count: 'cacheWriteTokens',
    partOf: 'promptTokens',
    column: 'cache_write_tokens',
    price: 'cacheWriteTokens',
    field: 'cost_cache_write_tokens_rub',
    longPrice: 'longCacheWriteTokens',
    longField: 'cost_long_cache_write_tokens_rub',
    meaning: "prompt tokens written to the provider's cache",
    heading: 'WRITTEN /M',
  },
  {
    count: 'reasoningTokens',
    partOf: 'completionTokens',
    column: 'reasoning_tokens',
    price: 'reasoningTokens',
    field: 'cost_reasoning_tokens_rub',
    longPrice: 'longReasoningTokens',
    longField: 'cost_long_reasoning_tokens_rub',
    meaning: 'completion tokens spent on reasoning',
    heading: 'REASONING /M',
  },
] as const satisfies readonly (TokenUnit & { partOf: TokenTotal['count'] })[];

/** What a call uses besides tokens, as part of the request. Their prices are also for 1,000,000. */
export const measures = [
  {
    count: 'characters',
    column: 'characters',
    price: 'characters',
    field: 'cost_characters_rub',
    meaning: 'characters that are spoken',
    heading: 'CHARACTERS /M',
  },
  {
    count: 'audioSeconds',
    column: 'audio_seconds',
    price: 'audioSeconds',
    field: 'cost_audio_seconds_rub',
    meaning: 'seconds of audio that are transcribed',
    heading: 'SECONDS /M',
  },
] as const satisfies readonly (Unit & Pick<TokenUnit, 'count' | 'column'>)[];

/** Charges that do not depend on the number of tokens. */
export const fixedCharges = [
  {
    price: 'inputFix',
    field: 'cost_input_fix_rub',
    meaning: 'a request',
    heading: 'A REQUEST',
  },
  {
    price: 'outputFix',
    field: 'cost_output_fix_rub',
    meaning: 'an answer, or an image of an IMAGE model',
    heading: 'AN ANSWER',
  },
] as const satisfies readonly Unit[];

export type TokenTotal = (typeof tokenTotals)[number];
export type TokenPart = (typeof tokenParts)[number];
export type Measure = (typeof measures)[number];
type FixedCharge = (typeof fixedCharges)[number];

/** Amounts that every price has, 0 unless set, and amounts that only some prices have. */
type RequiredUnit = TokenTotal | FixedCharge;
export type RequiredPrice = RequiredUnit['price'];
/** The amounts that do not depend on the length of the request. */
export type BasePrice = RequiredPrice | TokenPart['price'];
export type OptionalPrice =
  TokenPart['price'] | Measure['price'] | (TokenTotal | TokenPart)['longPrice'];
export type RequiredField = RequiredUnit['field'];
export type OptionalField =
  TokenPart['field'] | Measure['field'] | (TokenTotal | TokenPart)['longField'];

/**
 * What one model costs: micro-rubles per 1,000,000 tokens, per request (`inputFix`), and per answer or image
 * (`outputFix`). A part without a price costs as much as its total. A call with more than `longAbove` prompt tokens is
 * charged entirely at the long prices; a part without a long price then costs as much as its long total.
 */
export type Price = Record<RequiredPrice, Micro> &
  Partial<Record<OptionalPrice, Micro>> & { longAbove?: number };

/** Also the price of a model without a price: only admins may use it, and it costs nothing. */
export const freePrice: Price = { inputTokens: 0, outputTokens: 0, inputFix: 0, outputFix: 0 };

/** The token counts that a provider reported; null: it did not report this count. */
export type ReportedTokens = Record<
  (TokenTotal | TokenPart | Measure)['count'] | 'totalTokens',
  number | null
>;

/** The token counts of an answer. A part is null if the provider did not report it. */
export type AnswerTokens = Record<TokenTotal['count'] | 'totalTokens', number> & PartCounts;

/** The token counts that are charged. A part that is null or absent counts as 0. */
export type UsedTokens = Record<TokenTotal['count'], number> & Partial<PartCounts>;

/** All counts of a message with their columns, in the order of the API. */
export const tokenCounts = [
  ...tokenTotals,
  { count: 'totalTokens', column: 'total_tokens', meaning: 'tokens in total' } as const,
  ...tokenParts,
  ...measures,
];

type CountColumn = (typeof tokenCounts)[number]['column'];

/** The counts by the names of their columns, which are also those of the API. */
export function countsByColumn(counts: ReportedTokens): Record<CountColumn, number | null> {
  const named: Partial<Record<CountColumn, number | null>> = {};
  for (const { count, column } of tokenCounts) named[column] = counts[count];
  return named as Record<CountColumn, number | null>;
}

/** Counts that an answer may not have. */
export const partCounts = [...tokenParts, ...measures];
type PartCounts = Record<(TokenPart | Measure)['count'], number | null>;

/** Adds the counts of the parts to an object without them. */
export function copyParts<T extends object>(from: PartCounts, to: T): T & PartCounts {
  const filled = to as T & PartCounts;
  for (const { count } of partCounts) (filled as PartCounts)[count] = from[count];
  return filled;
}

/** The parts that the provider reported, by their names in the API. */
export function reportedParts(counts: PartCounts) {
  const named: Partial<Record<(TokenPart | Measure)['column'], number>> = {};
  for (const { count, column } of partCounts) {
    const tokens = counts[count];
    if (tokens !== null) named[column] = tokens;
  }
  return named;
}

export function totalOf({ partOf }: TokenPart): TokenTotal {
  return partOf === 'promptTokens' ? tokenTotals[0] : tokenTotals[1];
}

/** An object with one property for each row, named by a field of the row. */
export function recordOf<Field extends string, R extends Record<Field, string>, V>(
  rows: readonly R[],
  field: Field,
  valueOf: (row: R) => V,
): Record<R[Field], V> {
  const entries = rows.map((row) => [row[field], valueOf(row)]);
  return Object.fromEntries(entries) as Record<R[Field], V>;
}
