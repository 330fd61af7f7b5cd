import { z } from 'zod';
import { AMOUNT_MAX, AMOUNT_MAX_TEXT, MICRO_PER_RUBLE, parseRubles } from '../../lib/money.ts';

const RUBLES_MAX = AMOUNT_MAX / MICRO_PER_RUBLE;

function problemOf(value: unknown, minimum: number): string {
  if (minimum === 0 && typeof value === 'string' && value.startsWith('-')) {
    return 'must not be negative';
  }
  // Number() may throw for an object.
  const rubles = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
  return Math.abs(rubles) > RUBLES_MAX
    ? `must be between -${AMOUNT_MAX_TEXT} and ${AMOUNT_MAX_TEXT} rubles`
    : 'must be rubles with at most six decimals, as a number or a decimal text';
}

/**
 * Rubles in a body, read exactly into micro-rubles, without floats. Texts must have the documented form: `1e2` or ` 5`
 * is probably a mistake.
 * @param sign a pattern
 */
function rublesIn(minimum: number, sign: string) {
  const pattern = String.raw`^${sign}([0-7]?\d{1,9}(\.\d{1,6})?|8000000000(\.0{1,6})?)$`;
  const shape = new RegExp(pattern);
  return z
    .union([z.number(), z.string()], { error: ({ input }) => problemOf(input, minimum) })
    .transform((value, context) => {
      const isShaped = typeof value === 'number' || shape.test(value);
      const amount = isShaped ? parseRubles(value) : undefined;
      if (amount !== undefined) return amount;
      context.addIssue({ code: 'custom', message: problemOf(value, minimum) });
      return z.NEVER;
    })
    .meta({
      description: 'Rubles with at most six decimals, as a number or a decimal text.',
      anyOf: [
        { type: 'number' as const, minimum, maximum: RUBLES_MAX },
        { type: 'string' as const, pattern },
      ],
    });
}

export const rublesGiven = rublesIn(-RUBLES_MAX, '[+-]?');

/** Amounts that must not be negative. For numbers the minimum is only documented here: callers check it. */
export const rublesFromZero = rublesIn(0, String.raw`\+?`);
