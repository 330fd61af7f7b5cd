import type { Command } from 'commander';
import { readStatus, type StatusView } from '../chat/index.ts';
import { fromUnixSeconds } from '../lib/clock.ts';
import { define, onCore, type CliContext } from './context.ts';
import { time } from './format.ts';
import { pairs, table, type Column } from './table.ts';

const nodeColumns: readonly Column<StatusView['nodes'][number]>[] = [
  ['NODE', ({ id }) => String(id), 'right'],
  ['NAME', ({ name }) => name],
  ['OPEN HOLDS', ({ open_holds: holds }) => String(holds), 'right'],
];

const holdColumns: readonly Column<StatusView['open_holds']['oldest'][number]>[] = [
  ['SINCE', ({ created_at: at }) => time(fromUnixSeconds(at))],
  ['USER', ({ login }) => login],
  ['MESSAGE', ({ message_id: id }) => String(id), 'right'],
  ['MODEL', ({ model_id: id, model }) => `${id} ${model}`],
  ['NODE', ({ node }) => String(node), 'right'],
  ['HELD', ({ hold }) => hold.toFixed(6), 'right'],
];

const userColumns: readonly Column<StatusView['today']['top_users'][number]>[] = [
  ['USER', ({ login }) => login],
  ['REQUESTS', ({ requests }) => String(requests), 'right'],
  ['SPEND', ({ spend }) => spend.toFixed(6), 'right'],
];

export function statusCommand(program: Command, context: CliContext): void {
  define(program, 'status', 'show nodes, open holds, and the spend of today', [
    'zastava status',
  ]).action(
    onCore(context, async (core) => {
      const status = await readStatus(core, context.version);
      const { nodes, open_holds: holds, today } = status;
      const facts = pairs({
        version: status.version,
        database: status.database,
        providers: String(status.providers.length),
        'open holds': `${holds.count}, ${holds.amount.toFixed(6)} ₽`,
        [`spend of ${today.day}`]: `${today.spend.toFixed(6)} ₽, ${today.requests} requests`,
      });
      const tables = [
        nodes.length > 0 && table(nodeColumns, nodes),
        holds.oldest.length > 0 && table(holdColumns, holds.oldest),
        today.top_users.length > 0 && table(userColumns, today.top_users),
      ];
      return [status, [facts, ...tables.filter((text) => text !== false)].join('\n\n')];
    }),
  );
}
