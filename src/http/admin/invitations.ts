import { z } from 'zod';
import { checkModelIds, limitsView } from '../../chat/index.ts';
import {
  invitationView,
  invitedView,
  registrationModes,
  USES_MAX,
  type Invitation,
} from '../../codes/index.ts';
import { madeByUser } from '../../ledger/index.ts';
import { fromUnixSeconds } from '../../lib/clock.ts';
import { userLimits } from '../account/schemas.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { expiryGiven, named, pageLimit, rubles, unixSeconds, withoutNulls } from '../schemas.ts';
import { rublesFromZero } from './amount.ts';
import { givenUserLimits, userLimitFields } from '../limit-fields.ts';
import { noteGiven } from './vouchers.ts';

const invitation = named('Invitation', {
  id: z.int(),
  note: z.string(),
  made_by: z.string().describe("Who made it: an operator's present login, or `cli`."),
  created_at: unixSeconds,
  expires_at: unixSeconds.nullable().describe('null: never.'),
  revoked_at: unixSeconds.nullable().describe('null: not revoked.'),
  credit: rubles.describe('The opening credit of each user, in rubles.').meta({ examples: [100] }),
  limits: userLimits,
  uses: z.int().describe('How many users have registered with it.'),
  uses_max: z.int(),
});

const view = (one: Invitation) => invitationView(one, limitsView(one.limits));

const listOperation = ({ invitations, registration }: OperationParts) =>
  operatorOperation({
    path: '/admin/invitations/',
    unlogged: true,
    summary: 'List the invitations',
    description: 'The newest first, ended ones too.',
    body: z.object({
      limit: pageLimit,
      before: z.int().nullish().describe('Only invitations with a smaller id.'),
    }),
    result: z.object({
      invitations: z.array(invitation),
      registration: z
        .enum(registrationModes)
        .describe(
          'Who may register (`ZASTAVA_REGISTRATION`); off: nobody, whatever the invitation.',
        ),
    }),
    handle: async ({ limit, before }) => ({
      invitations: (await invitations.list(limit, before ?? undefined)).map(view),
      registration: registration.mode,
    }),
  });

const createOperation = ({ catalogue, invitationLink, invitations }: OperationParts) =>
  operatorOperation({
    path: '/admin/invitations/create/',
    act: 'invitation_created',
    summary: 'Make an invitation',
    description:
      'Its code is shown in this answer only: if it is lost, revoke it and make another.',
    body: z.object({
      uses: z
        .int()
        .min(1)
        .max(USES_MAX)
        .nullish()
        .describe('How many users may register with it; absent: 1.'),
      credit: rublesFromZero.nullish().describe('Rubles that each begins with; absent: none.'),
      ...userLimitFields,
      expires_at: expiryGiven,
      note: noteGiven,
    }),
    example: { uses: 10, credit: '100', note: 'for the team' },
    result: z.object({
      invitation,
      code: z
        .string()
        .describe('Only this answer shows it.')
        .meta({ examples: ['6EUQ-NE3Y-SLXG-7AW4-87MJ-M23C-456F-K9KJ'] }),
      link: z
        .string()
        .describe('The page where somebody registers with it.')
        .meta({ examples: ['https://ai.example.com/app/register#6EUQ-NE3Y-…'] }),
    }),
    handle: async (body, { caller, act }) => {
      const { uses, credit, note, expires_at: expiresAt } = withoutNulls(body);
      if (body.models) checkModelIds(catalogue, body.models);
      const made = await invitations.create({
        uses,
        credit,
        limits: givenUserLimits(body),
        note,
        expiresAt: fromUnixSeconds(expiresAt),
        madeBy: madeByUser(caller.userId),
        act,
      });
      return {
        invitation: view(made.invitation),
        code: made.code,
        link: invitationLink(made.code),
      };
    },
  });

const showOperation = ({ invitations }: OperationParts) =>
  operatorOperation({
    path: '/admin/invitations/show/',
    unlogged: true,
    summary: 'Show an invitation, and who registered with it',
    description: 'The newest first.',
    body: z.object({ id: z.int(), limit: pageLimit }),
    example: { id: 1 },
    result: z.object({
      invitation,
      users: z.array(z.object({ login: z.string(), used_at: unixSeconds })),
    }),
    errors: ['not_found'],
    handle: async ({ id, limit }) => ({
      invitation: view(await invitations.get(id)),
      users: (await invitations.invited(id, limit)).map(invitedView),
    }),
  });

const revokeOperation = ({ invitations }: OperationParts) =>
  operatorOperation({
    path: '/admin/invitations/revoke/',
    act: 'invitation_revoked',
    summary: 'Revoke an invitation',
    description: 'This can not be undone. Users who registered with it stay.',
    body: z.object({ id: z.int() }),
    example: { id: 1 },
    result: z.object({ invitation }),
    errors: ['not_found'],
    handle: async ({ id }, { act }) => ({ invitation: view(await invitations.revoke(id, act)) }),
  });

export const invitationOperations = (parts: OperationParts) => [
  listOperation(parts),
  createOperation(parts),
  showOperation(parts),
  revokeOperation(parts),
];
