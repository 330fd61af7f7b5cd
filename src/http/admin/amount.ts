import { z } from 'zod';
import { parseRubles } from '../../lib/money.ts';

const problem = 'must be rubles with at most six decimals, as a number or a decimal text';

/** Rubles in a body, read exactly into micro-rubles: no float takes part. */
export const rublesGiven = z
  .union([z.number(), z.string()], { error: problem })
  .transform((value, context) => {
    const amount = parseRubles(value);
    if (amount !== undefined) return amount;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  })
  .meta({ description: 'Rubles with at most six decimals; a number, or a decimal text.' });
