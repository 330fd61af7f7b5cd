import type { Command } from 'commander';
import { messageAttemptsView, type MessageAttempts } from '../chat/index.ts';
import { wholeNumberArgument } from './arguments.ts';
import type { CliContext } from './context.ts';
import { pairs, table, type Column } from './table.ts';
import { defineForUser, withUser } from './user-view.ts';

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
  defineForUser(user, 'attempts', 'show the attempts to have a message answered', [
    'zastava user attempts ivan 17',
  ])
    .argument('<message-id>', 'the id of a send', wholeNumberArgument)
    .action((login: string, messageId: number) => run(context, login, messageId));
}

function run(context: CliContext, given: string, messageId: number): Promise<void> {
  return withUser(context, given, async ({ id, login }, { attempts: log }) => {
    const found = await log.read(id, messageId);
    const { roomId, state, errorCode, attempts } = found;
    const about = pairs({
      login,
      room: roomId,
      state: errorCode === null ? state : `${state}: ${errorCode}`,
    });
    const text = attempts.length > 0 ? `${about}\n\n${table(columns, attempts)}` : about;
    await context.output.data({ login, ...messageAttemptsView(found) }, text);
  });
}
