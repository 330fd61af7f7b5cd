import { z } from 'zod';
import { accountView, limitsView } from '../../chat/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { roles } from '../../users/index.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { emptyBody, named, unixSeconds, dayZoneField } from '../schemas.ts';
import {
  accountFields,
  newPassword,
  passwordErrors,
  secondFactorCode,
  userLimits,
} from './schemas.ts';
import { dayZone } from '../../lib/days.ts';

export const accountOperations = ({
  allowance,
  authenticator,
  ledger,
  limits,
  users,
}: OperationParts) => [
  userOperation({
    path: '/account/',
    right: 'trust',
    summary: 'Show your account: rights, balance, limits and allowance',
    description: 'Rights, money, limits and the trust checks that are left today.',
    body: emptyBody,
    result: named('Account', {
      login: z.string(),
      is_admin: z.boolean().describe('Whether the role is `admin`.'),
      role: z.enum(roles),
      ...accountFields,
      limits: userLimits,
      trust_allowance: z.int().describe('Trust checks that you may make in a day.'),
      trust_remaining: z.int().describe('Trust checks left today.'),
      ...dayZoneField,
      created_at: unixSeconds,
    }),
    handle: async (_, { caller }) => {
      const user = await users.get(caller.userId);
      const trust = await allowance.today(user.id);
      return {
        login: user.login,
        is_admin: user.role === 'admin',
        role: user.role,
        ...accountView(await ledger.account(user.id)),
        limits: limitsView(await limits.get(user.id)),
        trust_allowance: trust.limit,
        trust_remaining: trust.remaining,
        day_zone: dayZone(),
        created_at: toUnixSeconds(user.createdAt),
      };
    },
  }),

  userOperation({
    path: '/account/password/',
    right: 'password',
    summary: 'Change your password',
    description:
      'Ends all your tokens, including the token of this request: log in again. API keys stay valid; revoke them one by one.',
    body: z.object({
      current_password: z.string(),
      code: secondFactorCode,
      new_password: newPassword,
    }),
    example: {
      current_password: 'the printed password',
      new_password: 'at least 8 characters',
    },
    result: z.object({ changed: z.literal(true) }),
    errors: [...passwordErrors],
    handle: async (body, { caller, facts }) => {
      await authenticator.changePassword(caller, {
        current: body.current_password,
        code: body.code ?? undefined,
        next: body.new_password,
        address: facts.address,
      });
      return { changed: true as const };
    },
  }),
];
