import type { Command } from 'commander';
import { checkModelIds, limitsView } from '../chat/index.ts';
import { invitationView, invitedView, type Invitation, type Invited } from '../codes/index.ts';
import type { Core } from '../core.ts';
import type { Micro } from '../lib/money.ts';
import { expiryArgument, rublesFrom, wholeNumberFrom } from './arguments.ts';
import { commandAct, define, defineGroup, onCore, type CliContext } from './context.ts';
import { rubles, time } from './format.ts';
import { pairs, table, type Column } from './table.ts';
import { addUserLimitOptions, limitFields, limitsIn, type LimitOptions } from './limit-options.ts';
import { MADE_BY } from './user-money.ts';

const ROWS_DEFAULT = 100;

interface CreateOptions extends LimitOptions {
  uses?: number;
  credit?: Micro;
  expires?: number;
  note?: string;
}

export function invitationCommands(program: Command, context: CliContext): void {
  const group = defineGroup(program, 'invitation', 'invitations: codes with which people register');
  const create = define(group, 'create', 'make an invitation; its link is printed only once', [
    'zastava invitation create --credit 100',
    `zastava invitation create --uses 10 --rubles-per-day 50 --expires 2030-12-31 --note 'team'`,
  ])
    .option('--uses <n>', 'how many may register with it; absent: 1', wholeNumberFrom(1))
    .option('--credit <rub>', 'rubles that each begins with', rublesFrom(0))
    .option('--expires <date>', 'its last day (UTC), or a moment; absent: never', expiryArgument)
    .option('--note <text>', 'for operators only');
  addUserLimitOptions(create).action(
    onCore(context, async (core, options: CreateOptions) => {
      if (core.registration.mode === 'off') await context.output.warn(REGISTRATION_OFF);
      if (core.publicUrl() === '') await context.output.warn(NO_LINK);
      return makeInvitation(core, options);
    }),
  );
  define(group, 'list', 'list the invitations, newest first', ['zastava invitation list'])
    .option('--limit <n>', `at most so many; absent: ${ROWS_DEFAULT}`, wholeNumberFrom(1))
    .option('--before <id>', 'only invitations with a smaller id', wholeNumberFrom(1))
    .action(
      onCore(context, async (core, options: { limit?: number; before?: number }) => {
        const found = await core.invitations.list(options.limit ?? ROWS_DEFAULT, options.before);
        return [found.map(view), table(columns(core.clock.now()), found)];
      }),
    );
  define(group, 'show', 'show an invitation, and who registered with it', [
    'zastava invitation show 3',
  ])
    .argument('<id>', 'as invitation list shows it', wholeNumberFrom(1))
    .action(
      onCore(context, async ({ invitations }, id: number) => {
        const invitation = await invitations.get(id);
        const users = await invitations.invited(id, Number.MAX_SAFE_INTEGER);
        return [
          { invitation: view(invitation), users: users.map(invitedView) },
          `${pairs(fields(invitation))}\n\n${table(invitedColumns, users)}`,
        ];
      }),
    );
  define(group, 'revoke', 'end an invitation for good; who registered with it stays', [
    'zastava invitation revoke 3',
  ])
    .argument('<id>', 'as invitation list shows it', wholeNumberFrom(1))
    .action(
      onCore(context, async (core, id: number) => {
        const act = commandAct(core, 'invitation_revoked');
        const invitation = await core.invitations.revoke(id, act);
        return [{ invitation: view(invitation) }, `the invitation ${id} is revoked`];
      }),
    );
}

const REGISTRATION_OFF =
  'nobody can register here now: set ZASTAVA_REGISTRATION=invitation for the server';

const NO_LINK =
  'ZASTAVA_PORT is 0, so the port of the server is not known here: there is no link, only the code; set ZASTAVA_PUBLIC_URL to the address of the server';

const view = (one: Invitation) => invitationView(one, limitsView(one.limits));

async function makeInvitation(
  core: Core,
  { uses, credit, expires: expiresAt, note, ...quota }: CreateOptions,
) {
  const { catalogue, invitationLink, invitations, publicUrl } = core;
  const limits = limitsIn(quota);
  if (limits.models) checkModelIds(catalogue, limits.models);
  const act = commandAct(core, 'invitation_created');
  const input = { uses, credit, limits, expiresAt, note, madeBy: MADE_BY, act };
  const { invitation, code } = await invitations.create(input);
  const link = publicUrl() === '' ? null : invitationLink(code);
  return [
    { invitation: view(invitation), code, link },
    pairs({ ...fields(invitation), code, ...(link !== null && { link }) }),
    {
      made: `the invitation ${invitation.id} is made`,
      lost: `its code is lost: zastava invitation revoke ${invitation.id}, and make another`,
    },
  ] as const;
}

function fields(invitation: Invitation): Record<string, string> {
  return {
    invitation: String(invitation.id),
    uses: `${invitation.uses} of ${invitation.usesMax}`,
    credit: rubles(invitation.credit),
    ...limitFields(invitation.limits),
    expires: time(invitation.expiresAt),
    revoked: time(invitation.revokedAt),
    note: invitation.note || '-',
  };
}

function columns(now: number): readonly Column<Invitation>[] {
  return [
    ['ID', ({ id }) => String(id), 'right'],
    ['STATE', (invitation) => stateOf(invitation, now)],
    ['USED', ({ uses, usesMax }) => `${uses} of ${usesMax}`, 'right'],
    ['CREDIT', ({ credit }) => rubles(credit), 'right'],
    ['CREATED', ({ createdAt }) => time(createdAt)],
    ['EXPIRES', ({ expiresAt }) => time(expiresAt)],
    ['BY', ({ madeBy }) => madeBy],
    ['NOTE', ({ note }) => note],
  ];
}

const invitedColumns: readonly Column<Invited>[] = [
  ['LOGIN', ({ login }) => login],
  ['REGISTERED', ({ usedAt }) => time(usedAt)],
];

function stateOf({ revokedAt, expiresAt, uses, usesMax }: Invitation, now: number): string {
  if (revokedAt !== null) return 'revoked';
  if (uses >= usesMax) return 'used up';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'open';
}
