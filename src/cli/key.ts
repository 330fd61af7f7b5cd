import { Option, type Command } from 'commander';
import { apiKeyView } from '../chat/index.ts';
import { toUnixSeconds } from '../lib/clock.ts';
import { keyScopes, type ApiKey, type KeyScope } from '../users/index.ts';
import { expiryArgument } from './arguments.ts';
import { define, defineGroup, withCore, type CliContext } from './context.ts';
import { time } from './format.ts';
import { printOnce } from './print-once.ts';
import { pairs, table, type Column } from './table.ts';
import { defineForUser, withUser } from './user-view.ts';

export function keyCommands(program: Command, context: CliContext): void {
  const key = defineGroup(
    program,
    'key',
    'API keys: credentials for programs, accepted wherever a token is',
  );
  defineForUser(key, 'create', 'make an API key; it is printed only once', [
    'zastava key create ivan --name laptop',
    'zastava key create ivan --name batch --expires 2030-12-31',
    'zastava key create ivan --name bot --scope chat',
  ])
    .requiredOption('--name <text>', 'what it is for')
    .option('--expires <date>', 'its last day (UTC), or a moment; absent: never', expiryArgument)
    .addOption(
      new Option(
        '--scope <scope>',
        'chat: rooms and sends only; full: all but admin operations; admin: these too; absent: everything that the user may do',
      ).choices(keyScopes),
    )
    .action((login: string, options: CreateOptions) => create(context, login, options));
  defineForUser(key, 'list', 'list the API keys of a user', ['zastava key list ivan']).action(
    (login: string) => list(context, login),
  );
  define(key, 'revoke', 'revoke an API key for good', ['zastava key revoke 5f0c2a9be1d34c77'])
    .argument('<key-id>', 'as key list shows it')
    .action((id: string) => revoke(context, id));
}

interface CreateOptions {
  name: string;
  expires?: number;
  scope?: KeyScope;
}

async function create(
  context: CliContext,
  login: string,
  { name, expires, scope }: CreateOptions,
): Promise<void> {
  await withUser(context, login, async (user, { keys }) => {
    const made = await keys.create(user.id, { name, expiresAt: expires, scope });
    const { id, key, createdAt, expiresAt, scope: given } = made;
    await printOnce(
      context.output,
      {
        id,
        key,
        name,
        created_at: toUnixSeconds(createdAt),
        expires_at: expiresAt === null ? null : toUnixSeconds(expiresAt),
        scope: given,
      },
      pairs({ id, name, key, scope: given, expires: time(expiresAt) }),
      {
        made: `the API key ${id} is made`,
        lost: `its text is lost: zastava key revoke ${id}, and make another`,
      },
    );
  });
}

function list(context: CliContext, login: string): Promise<void> {
  return withUser(context, login, async ({ id }, { keys, clock }) => {
    const found = await keys.list(id);
    await context.output.data(found.map(apiKeyView), table(columns(clock.now()), found));
  });
}

async function revoke(context: CliContext, id: string): Promise<void> {
  await withCore(context, async ({ keys }) => {
    await keys.revoke(id);
    await context.output.data({ id, revoked: true }, `the API key ${id} is revoked`);
  });
}

function columns(now: number): readonly Column<ApiKey>[] {
  return [
    ['ID', ({ id }) => id],
    ['NAME', ({ name }) => name],
    ['ENDS IN', ({ hint }) => hint],
    ['SCOPE', ({ scope }) => scope],
    ['STATE', (key) => stateOf(key, now)],
    ['CREATED', ({ createdAt }) => time(createdAt)],
    ['EXPIRES', ({ expiresAt }) => time(expiresAt)],
  ];
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
