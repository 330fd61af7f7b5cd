import { z } from 'zod';
import { AMOUNT_MAX, MICRO_PER_RUBLE, parseRubles } from '../../lib/money.ts';

function problemOf(value: unknown): string {
  // Objects may have no number, and refuse to be asked for one.
  const rubles = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
  return Math.abs(rubles) > AMOUNT_MAX / MICRO_PER_RUBLE
    ? 'must be between -8 000 000 000 and 8 000 000 000 rubles'
    : 'must be rubles with at most six decimals, as a number or a decimal text';
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
  .meta({ description: 'Rubles with at most six decimals; a number, or a decimal text.' });
