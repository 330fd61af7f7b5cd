import { MICRO_PER_RUBLE, parseDecimal, TOKENS_PER_PRICE, type Micro } from '../lib/money.ts';
import type { RawModel } from './file-schema.ts';
import { PRICE_MAX } from './limits.ts';
import type { Price } from '../lib/price.ts';

/** The parts of a price with their fields in a file. Those of tokens are per `cost_tokens_per` tokens. */
export const priceFields = [
  { part: 'inputTokens', field: 'cost_input_tokens_rub', ofTokens: true },
  { part: 'outputTokens', field: 'cost_output_tokens_rub', ofTokens: true },
  { part: 'inputFix', field: 'cost_input_fix_rub', ofTokens: false },
  { part: 'outputFix', field: 'cost_output_fix_rub', ofTokens: false },
  { part: 'cachedInputTokens', field: 'cost_cached_input_tokens_rub', ofTokens: true },
  { part: 'cacheWriteTokens', field: 'cost_cache_write_tokens_rub', ofTokens: true },
  { part: 'reasoningTokens', field: 'cost_reasoning_tokens_rub', ofTokens: true },
  { part: 'longInputTokens', field: 'cost_long_input_tokens_rub', ofTokens: true },
  { part: 'longOutputTokens', field: 'cost_long_output_tokens_rub', ofTokens: true },
  { part: 'longCachedInputTokens', field: 'cost_long_cached_input_tokens_rub', ofTokens: true },
  { part: 'longCacheWriteTokens', field: 'cost_long_cache_write_tokens_rub', ofTokens: true },
  { part: 'longReasoningTokens', field: 'cost_long_reasoning_tokens_rub', ofTokens: true },
] as const;

/** The field of `longAbove`, which is no amount. */
export const longAboveField = 'long_context_above_tokens';

/** Fields that mean nothing without another one: mostly the price that they replace for some tokens. */
const needed = [
  ['cost_cached_input_tokens_rub', 'cost_input_tokens_rub'],
  ['cost_cache_write_tokens_rub', 'cost_input_tokens_rub'],
  ['cost_reasoning_tokens_rub', 'cost_output_tokens_rub'],
  [longAboveField, 'cost_long_input_tokens_rub'],
  [longAboveField, 'cost_long_output_tokens_rub'],
  ['cost_long_input_tokens_rub', longAboveField],
  ['cost_long_input_tokens_rub', 'cost_input_tokens_rub'],
  ['cost_long_output_tokens_rub', longAboveField],
  ['cost_long_output_tokens_rub', 'cost_output_tokens_rub'],
  ['cost_long_cached_input_tokens_rub', 'cost_long_input_tokens_rub'],
  ['cost_long_cache_write_tokens_rub', 'cost_long_input_tokens_rub'],
  ['cost_long_reasoning_tokens_rub', 'cost_long_output_tokens_rub'],
] as const;

/** True when a model of a file has any price, even 0. */
export function namesPrice(raw: { readonly [field: string]: unknown }): boolean {
  return (
    raw[longAboveField] !== undefined || priceFields.some(({ field }) => raw[field] !== undefined)
  );
}

/**
 * The prices of a model in whole micro-rubles: token prices per 1,000,000 tokens, whatever basis they
 * were typed in. Scaling moves the decimal point, so nothing is rounded.
 * @param refuse called with each field that is wrong, and what is wrong with it
 * @returns null when the file names no price at all
 */
export function readPrice(
  raw: RawModel,
  refuse: (field: string, message: string) => void,
): Price | null {
  if (!namesPrice(raw)) return null;
  const price: Price = { inputTokens: 0, outputTokens: 0, inputFix: 0, outputFix: 0 };
  for (const { part, field, ofTokens } of priceFields) {
    const value = raw[field];
    if (value === undefined) continue;
    const factor = ofTokens ? TOKENS_PER_PRICE / (raw.cost_tokens_per ?? TOKENS_PER_PRICE) : 1;
    const amount = readAmount(value, factor);
    if (typeof amount === 'string') refuse(field, amount);
    else price[part] = amount;
  }
  for (const [field, usual] of needed) {
    if (raw[field] !== undefined && raw[usual] === undefined) {
      refuse(field, `needs ${usual} beside it`);
    }
  }
  const above = raw[longAboveField];
  return above === undefined ? price : { ...price, longAbove: above };
}

/** Micro-rubles, or what is wrong. @param factor a power of ten */
function readAmount(value: number | string, factor: number): Micro | string {
  const scale = MICRO_PER_RUBLE * factor;
  const amount = parseDecimal(value, scale);
  if (amount !== undefined && amount <= PRICE_MAX) return amount;
  const decimals = Math.round(Math.log10(scale));
  const highest = PRICE_MAX / scale;
  return `must be a decimal number from 0 to ${highest} with at most ${decimals} decimals`;
}
