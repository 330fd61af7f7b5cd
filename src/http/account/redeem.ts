import { z } from 'zod';
import { toUnixSeconds } from '../../lib/clock.ts';
import { toRubles } from '../../lib/money.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { rubles, unixSeconds } from '../schemas.ts';

export const redeemOperation = ({ redemption }: OperationParts) =>
  userOperation({
    path: '/account/redeem/',
    summary: 'Redeem a voucher',
    description:
      'Credits its amount once. If you repeat it, you get the same answer; for anybody else it is `voucher_used`. A mistyped code is `invalid_request`, an unknown one `not_found`; after too many unknown codes you have to wait.',
    body: z.object({
      code: z
        .string()
        .describe('As printed, in upper or lower case, with or without hyphens and spaces.'),
    }),
    example: { code: 'the code of a voucher' },
    result: z.object({
      amount: rubles.describe('Rubles that were credited.').meta({ examples: [100] }),
      balance: rubles.describe('The balance after the credit.'),
      redeemed_at: unixSeconds,
    }),
    errors: ['not_found', 'voucher_used', 'voucher_ended', 'too_many_attempts'],
    handle: async ({ code }, { caller, facts }) => {
      const redeemed = await redemption.redeem(caller, code, facts.address);
      return {
        amount: toRubles(redeemed.amount),
        balance: toRubles(redeemed.balance),
        redeemed_at: toUnixSeconds(redeemed.redeemedAt),
      };
    },
  });
