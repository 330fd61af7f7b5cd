import { Option, type Command } from 'commander';
import { apiKeyViews, newApiKeyView } from '../chat/index.ts';
import { keyScopes, type ApiKey, type KeyScope } from '../users/index.ts';
import { expiryArgument } from './arguments.ts';
import {
  commandAct,
  define,
  defineForUser,
  defineGroup,
  onCore,
  onUser,
  type CliContext,
} from './context.ts';
import { time } from './format.ts';
import { budgetIn, keyChangeCommands, tagOption } from './key-changes.ts';
import { addKeyLimitOptions, type LimitOptions } from './limit-options.ts';
import { pairs, table, type Column } from './table.ts';

interface CreateOptions extends LimitOptions {
  name: string;
  tag?: string[];
  expires?: number;
  scope?: KeyScope;
}

export function keyCommands(program: Command, context: CliContext): void {
  const group = defineGroup(
    program,
    'key',
    'API keys: credentials for programs, accepted wherever a token is',
  );
  const create = defineForUser(group, 'create', 'make an API key; it is printed only once', [
    'zastava key create ivan --name laptop',
    'zastava key create ivan --name batch --expires 2030-12-31',
    'zastava key create ivan --name bot --scope chat --rubles-per-month 500 --tag bots',
  ]);
  addKeyLimitOptions(create)
    .requiredOption('--name <text>', 'what it is for')
    .option('--expires <date>', 'its last day (UTC), or a moment; absent: never', expiryArgument)
    .addOption(tagOption())
    .addOption(
      new Option(
        '--scope <scope>',
        'chat: rooms and sends only; trust: trust checks, balance and usage only; credit: top-ups only; full: all of the user’s own; operator, admin: operations of operators, of admins too; absent: everything that the user may do',
      ).choices(keyScopes),
    )
    .action(
      onUser(context, async (user, core, options: CreateOptions) => {
        const { name, expires, scope, tag: tags } = options;
        const made = await core.keys.create(user.id, {
          name,
          expiresAt: expires,
          scope,
          tags,
          budget: budgetIn(core, user.id, options),
          act: commandAct(core, 'key_created'),
        });
        const { id, key } = made;
        return [
          newApiKeyView(made),
          pairs({ id, name, key, scope: made.scope, expires: time(made.expiresAt) }),
          {
            made: `the API key ${id} is made`,
            lost: `its text is lost: zastava key revoke ${id}, and make another`,
          },
        ];
      }),
    );
  defineForUser(group, 'list', 'list the API keys of a user', ['zastava key list ivan']).action(
    onUser(context, async ({ id }, core) => {
      const found = await core.keys.list(id);
      return [await apiKeyViews(core, id), table(columns(core.clock.now()), found)];
    }),
  );
  keyChangeCommands(group, context);
  define(group, 'revoke', 'revoke an API key for good', ['zastava key revoke 5f0c2a9be1d34c77'])
    .argument('<key-id>', 'as key list shows it')
    .action(
      onCore(context, async (core, id: string) => {
        await core.keys.revoke(id, undefined, commandAct(core, 'key_revoked'));
        return [{ id, revoked: true }, `the API key ${id} is revoked`];
      }),
    );
}

function columns(now: number): readonly Column<ApiKey>[] {
  return [
    ['ID', ({ id }) => id],
    ['NAME', ({ name }) => name],
    ['ENDS IN', ({ hint }) => hint],
    ['SCOPE', ({ scope }) => scope],
    ['TAGS', ({ tags }) => tags.join(' ')],
    ['STATE', (key) => stateOf(key, now)],
    ['CREATED', ({ createdAt }) => time(createdAt)],
    ['EXPIRES', ({ expiresAt }) => time(expiresAt)],
  ];
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
