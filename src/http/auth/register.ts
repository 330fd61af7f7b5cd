import { z } from 'zod';
import { limitsView } from '../../chat/index.ts';
import { registrationModes } from '../../codes/index.ts';
import { toUnixSecondsOrNull } from '../../lib/clock.ts';
import { toRubles } from '../../lib/money.ts';
import { newPassword, userLimits } from '../account/schemas.ts';
import type { OperationParts } from '../operation-parts.ts';
import { publicOperation } from '../operation.ts';
import { rubles, unixSeconds } from '../schemas.ts';

const invitationCode = z
  .string()
  .nullish()
  .describe(
    'The code of an invitation, in upper or lower case, with or without hyphens and spaces.',
  );

export const registerOperations = ({ ledger, registration }: OperationParts) => [
  publicOperation({
    path: '/auth/register/show/',
    summary: 'Show who may register, and what an invitation gives',
    description: 'With a `code`, also whether the invitation can be used now. It counts no use.',
    body: z.object({ code: invitationCode }),
    result: z.object({
      registration: z
        .enum(registrationModes)
        .describe('off: nobody; invitation: with an invitation; open: everybody.'),
      invitation: z
        .object({
          credit: rubles.describe('Your opening credit, in rubles.').meta({ examples: [100] }),
          limits: userLimits,
          expires_at: unixSeconds.nullable().describe('null: never.'),
        })
        .nullable()
        .describe('null: the request had no code.'),
    }),
    errors: ['forbidden', 'not_found', 'invitation_ended', 'too_many_attempts'],
    handle: async ({ code }, { facts }) => {
      const found = code ? await registration.preview(code, facts.address) : undefined;
      return {
        registration: registration.mode,
        invitation: found
          ? {
              credit: toRubles(found.credit),
              limits: limitsView(found.limits),
              expires_at: toUnixSecondsOrNull(found.expiresAt),
            }
          : null,
      };
    },
  }),

  publicOperation({
    path: '/auth/register/',
    summary: 'Register',
    description:
      'Makes a user, if the operator allows that (`ZASTAVA_REGISTRATION`). An invitation adds its credit and limits. Log in after that.',
    body: z.object({
      login: z.string().meta({
        minLength: 1,
        description: '1 to 64 letters of any script, digits, ".", "_", "-" or "@".',
      }),
      password: newPassword,
      code: invitationCode,
    }),
    example: { login: 'bob', password: 'at least 8 characters', code: 'the code of an invitation' },
    result: z.object({ login: z.string(), balance: rubles }),
    errors: ['forbidden', 'not_found', 'invitation_ended', 'too_many_attempts'],
    handle: async ({ login, password, code }, { facts }) => {
      const given = { login, password, code: code ?? undefined };
      const user = await registration.register(given, facts.address);
      facts.userId = user.id;
      const { balance } = await ledger.account(user.id);
      return { login: user.login, balance: toRubles(balance) };
    },
  }),
];
