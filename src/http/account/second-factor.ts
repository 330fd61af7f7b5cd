import { z } from 'zod';
import { toUnixSecondsOrNull } from '../../lib/clock.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { emptyBody, unixSeconds } from '../schemas.ts';
import { qrPath } from '../web/qr-path.ts';
import { IDLE_SECONDS, pageCookie } from '../web/session.ts';
import { passwordErrors, secondFactorCode } from './schemas.ts';

const proof = z.object({ password: z.string(), code: secondFactorCode });
const proofExample = { password: 'your password', code: '123456' };

const recoveryCodes = z.object({
  recovery_codes: z
    .array(z.string())
    .describe('Each replaces a code of the app once. Only this answer shows them.'),
});

export const secondFactorOperations = (parts: OperationParts) => [
  ...setUpOperations(parts),
  ...changeOperations(parts),
];

const setUpOperations = ({
  authenticator: { secondFactor },
  needsFactor,
  secureCookies,
  users,
}: OperationParts) => [
  userOperation({
    path: '/account/second-factor/',
    right: 'second_factor',
    summary: 'Show whether you have a second factor',
    body: emptyBody,
    result: z.object({
      since: unixSeconds.nullable().describe('null: you have none.'),
      recovery_codes_left: z.int().describe('Recovery codes that were not used.'),
      required: z.boolean().describe('Whether your role needs one.'),
    }),
    handle: async (_, { caller: { userId } }) => {
      const { since, codesLeft } = await secondFactor.state(userId);
      return {
        since: toUnixSecondsOrNull(since),
        recovery_codes_left: codesLeft,
        required: needsFactor && (await users.role(userId)) !== 'user',
      };
    },
  }),

  userOperation({
    path: '/account/second-factor/begin/',
    right: 'second_factor',
    summary: 'Begin a second factor (TOTP)',
    description:
      'Give the secret to an authenticator app, as text or as the QR code of the URI. Only this answer shows it. The second factor counts when you confirm it; until then, a new one replaces it.',
    body: z.object({ password: z.string() }),
    example: { password: 'your password' },
    result: z.object({
      secret: z.string().describe('Base32.'),
      uri: z.string().describe('`otpauth://totp/…`'),
      qr: z
        .object({
          size: z.int().describe('The number of modules on each side of the QR code.'),
          path: z.string(),
        })
        .describe('The QR code of the URI as the path of an SVG; one module is one unit.'),
    }),
    errors: ['wrong_credentials', 'too_many_attempts'],
    handle: async ({ password }, { caller, facts }) => {
      const begun = await secondFactor.begin(caller, { password, address: facts.address });
      return { ...begun, qr: await qrPath(begun.uri) };
    },
  }),

  userOperation({
    path: '/account/second-factor/confirm/',
    right: 'second_factor',
    summary: 'Confirm your second factor by its first code',
    description:
      'From now on each login needs a code. All your tokens end, since you got them without a code: log in again. Only the session of the web page that confirms stays open. API keys stay.',
    setsCookie: true,
    body: z.object({ code: z.string().describe('Six digits, from the app.') }),
    example: { code: '123456' },
    result: recoveryCodes,
    errors: ['not_found', 'code_invalid', 'too_many_attempts'],
    handle: async ({ code }, { caller, facts: { address }, headers }) => {
      const given = { code, address, ttlSeconds: IDLE_SECONDS };
      const { codes, token } = await secondFactor.confirm(caller, given);
      if (token) headers['set-cookie'] = pageCookie(token.token, token.expiresAt, secureCookies);
      return { recovery_codes: codes };
    },
  }),
];

const changeOperations = ({ authenticator: { secondFactor } }: OperationParts) => [
  userOperation({
    path: '/account/second-factor/recovery-codes/',
    summary: 'Replace your recovery codes',
    description: 'The previous codes stop working, also those that were not used.',
    body: proof,
    example: proofExample,
    result: recoveryCodes,
    errors: ['not_found', ...passwordErrors],
    handle: async ({ password, code }, { caller, facts: { address } }) => {
      const given = { password, code: code ?? undefined, address };
      return { recovery_codes: await secondFactor.newCodes(caller, given) };
    },
  }),

  userOperation({
    path: '/account/second-factor/end/',
    summary: 'End your second factor',
    description: 'Logins need only the password again, and the recovery codes end.',
    body: proof,
    example: proofExample,
    result: z.object({ ended: z.literal(true) }),
    errors: ['not_found', ...passwordErrors],
    handle: async ({ password, code }, { caller, facts: { address } }) => {
      await secondFactor.end(caller, { password, code: code ?? undefined, address });
      return { ended: true as const };
    },
  }),
];
