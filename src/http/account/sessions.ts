import { z } from 'zod';
import { toUnixSeconds } from '../../lib/clock.ts';
import { invalidField } from '../../lib/errors.ts';
import type { Caller } from '../../users/index.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { emptyBody, named, textOrNull, unixSeconds } from '../schemas.ts';

const session = named('Session', {
  id: z.string(),
  kind: z
    .enum(['api', 'page', 'cookie'])
    .describe('api: a program that logged in; page: the web page; cookie: the cookie interface.'),
  started_at: unixSeconds,
  expires_at: unixSeconds.describe('When it ends if it is not used.'),
  device: textOrNull.describe(
    'Browser and system, or program, of the login, without versions; null: unknown.',
  ),
  address: textOrNull.describe("The client's address at the login; null: unknown."),
  is_current: z.boolean().describe('true: the session of this request.'),
});

export const ownSessionOperations = ({ authenticator: { sessions } }: OperationParts) => [
  userOperation({
    path: '/account/sessions/',
    summary: 'List your sessions',
    description: 'The newest first. API keys are not sessions: see /account/keys/.',
    body: emptyBody,
    result: z.object({ sessions: z.array(session) }),
    handle: async (_, { caller }) => {
      const list = await sessions.list(caller.userId, tokenIdOf(caller));
      return {
        sessions: list.map((one) => ({
          id: one.id,
          kind: one.kind,
          started_at: toUnixSeconds(one.startedAt),
          expires_at: toUnixSeconds(one.expiresAt),
          device: one.device,
          address: one.address,
          is_current: one.isCurrent,
        })),
      };
    },
  }),

  userOperation({
    path: '/account/sessions/end/',
    summary: 'End one of your sessions, or all others',
    description:
      '`{"id": …}` ends one; `{"others": true}` ends all but the session of this request. Takes effect at once on this node, and within 5 seconds on every other.',
    body: z.object({
      id: z.string().nullish().describe('The id of a session.'),
      others: z.literal(true).nullish(),
    }),
    example: { id: 'the id of a session' },
    result: z.object({ ended: z.int().describe('How many sessions ended.') }),
    errors: ['not_found'],
    handle: async ({ id, others }, { caller }) => {
      if ((id == null) === (others == null)) throw invalidField('id', 'send either id or others');
      if (id == null) return { ended: await sessions.endOthers(caller.userId, tokenIdOf(caller)) };
      await sessions.end(caller.userId, id);
      return { ended: 1 };
    },
  }),
];

function tokenIdOf({ credential }: Caller): string | undefined {
  return credential.kind === 'token' ? credential.jti : undefined;
}
