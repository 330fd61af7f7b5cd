import type { Command } from 'commander';
import { messageAttemptsView, type MessageAttempts } from '../chat/index.ts';
import { wholeNumberArgument } from './arguments.ts';
import { define, withCore, type CliContext } from './context.ts';
import { pairs, table, type Column } from './table.ts';
import { findUser } from './user-view.ts';

type Attempt = MessageAttempts['attempts'][number];

const columns: readonly Column<Attempt>[] = [
  ['STARTED', ({ startedAt }) => new Date(startedAt).toISOString()],
  ['TOOK', ({ durationMs }) => `${durationMs} ms`, 'right'],
  ['PROVIDER', ({ provider }) => provider],
  ['MODEL', ({ model }) => model],
  ['KEY', ({ keyHint }) => keyHint ?? '-'],
  ['OUTCOME', ({ outcome }) => outcome],
  ['STATUS', ({ status }) => String(status ?? '-'), 'right'],
  ['COST', ({ cost }) => (cost ? `${cost.amount} ${cost.currency ?? ''}`.trim() : '-'), 'right'],
];

export function userAttempts(user: Command, context: CliContext): void {
  define(user, 'attempts', 'show each try to have a message answered', [
    'zastava user attempts ivan 17',
  ])
    .argument('<login>', 'in any case')
    .argument('<message-id>', 'the id of a send', wholeNumberArgument)
    .action((login: string, messageId: number) => run(context, login, messageId));
}

async function run(context: CliContext, login: string, messageId: number): Promise<void> {
  await withCore(context, async ({ users, attempts: log }) => {
    const user = await findUser(users, login);
    const found = await log.read(user.id, messageId);
    const { roomId, state, errorCode, attempts } = found;
    const about = pairs({
      login: user.login,
      room: roomId,
      state: errorCode === null ? state : `${state}: ${errorCode}`,
    });
    const text = attempts.length > 0 ? `${about}\n\n${table(columns, attempts)}` : about;
    await context.output.data({ login: user.login, ...messageAttemptsView(found) }, text);
  });
}
