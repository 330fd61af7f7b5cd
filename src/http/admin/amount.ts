import { z } from 'zod';
import { AMOUNT_MAX, AMOUNT_MAX_TEXT, MICRO_PER_RUBLE, parseRubles } from '../../lib/money.ts';

const RUBLES_MAX = AMOUNT_MAX / MICRO_PER_RUBLE;

function problemOf(value: unknown): string {
  // Objects may have no number, and refuse to be asked for one.
  const rubles = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
  return Math.abs(rubles) > RUBLES_MAX
    ? `must be between -${AMOUNT_MAX_TEXT} and ${AMOUNT_MAX_TEXT} rubles`
    : 'must be rubles with at most six decimals, as a number or a decimal text';
}

/**
 * How the document tells an amount: what is read besides, such as `1e3`, is nothing that one need write.
 * @param sign as a pattern
 */
function shapes(minimum: number, sign: string) {
  const pattern = String.raw`^${sign}([0-7]?\d{1,9}(\.\d{1,6})?|8000000000(\.0{1,6})?)$`;
  return {
    anyOf: [
      { type: 'number' as const, minimum, maximum: RUBLES_MAX },
      { type: 'string' as const, pattern },
    ],
  };
}

/** Rubles in a body, read exactly into micro-rubles: no float takes part. */
export const rublesGiven = z
  .union([z.number(), z.string()], { error: ({ input }) => problemOf(input) })
  .transform((value, context) => {
    const amount = parseRubles(value);
    if (amount !== undefined) return amount;
    context.addIssue({ code: 'custom', message: problemOf(value) });
    return z.NEVER;
  })
  .meta({ description: 'Rubles with at most six decimals; a number, or a decimal text.' })
  .meta(shapes(-RUBLES_MAX, '[+-]?'));

/** The same for amounts that must not be negative. The minimum is only documented here; callers check it. */
export const rublesFromZero = rublesGiven.meta(shapes(0, String.raw`\+?`));
