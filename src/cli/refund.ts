import type { Command } from 'commander';
import { bulkRefundView, givenBackOf } from '../chat/index.ts';
import { momentArgument, wholeNumberFrom } from './arguments.ts';
import { commandAct, define, findUser, onCore, type CliContext } from './context.ts';
import { counted, rubles } from './format.ts';
import { pairs } from './table.ts';
import { MADE_BY } from './user-money.ts';

interface RefundOptions {
  model: number;
  from: number;
  to: number;
  login?: string;
  percent: string;
  priceVersion?: number;
  reason: string;
  dryRun?: boolean;
}

export function refundCommand(program: Command, context: CliContext): void {
  const time = '--from 2026-11-03T09:00:00+03:00 --to 2026-11-03T11:30:00+03:00';
  define(program, 'refund', 'refund the messages that a model answered in a period', [
    `zastava refund --model 101 ${time} --reason 'wrong price' --dry-run`,
    `zastava refund --model 101 ${time} --percent 16.67 --reason 'wrong price'`,
    `zastava refund --model 101 ${time} --price-version 12 --reason 'wrong price'`,
  ])
    .requiredOption('--model <id>', 'the model that answered', wholeNumberFrom(0))
    .requiredOption('--from <moment>', 'messages sent from this moment on', momentArgument)
    .requiredOption('--to <moment>', 'messages sent before this moment', momentArgument)
    .option('--login <login>', 'only messages of this user')
    .option(
      '--percent <n>',
      'share of each charge, earlier refunds included; at most two decimals',
      '100',
    )
    .option(
      '--price-version <id>',
      'what each charge is above the price of this version of the model, as catalogue versions shows it',
      wholeNumberFrom(1),
    )
    .requiredOption('--reason <text>', 'why; stays in the books for good')
    .option('--dry-run', 'only say what would be refunded')
    .action(
      onCore(context, async (core, { model, from, to, reason, ...options }: RefundOptions) => {
        const { bulkRefunds, catalogue } = core;
        const dryRun = options.dryRun ?? false;
        const { facts } = catalogue.anyVersion(model);
        const { login, percent, priceVersion } = options;
        const request = {
          modelId: model,
          from,
          to,
          userId: login === undefined ? undefined : (await findUser(core, login)).id,
          back: await givenBackOf(catalogue, { modelId: model, percent, priceVersion }),
          ofAdmins: true,
          limit: Infinity,
        };
        const note = { reason, madeBy: MADE_BY };
        const found = dryRun
          ? await bulkRefunds.plan(request)
          : await bulkRefunds.give(request, note, commandAct(core, 'messages_refunded'));
        return [
          { dry_run: dryRun, model_id: model, ...bulkRefundView(found) },
          pairs({
            model: `${model} ${facts.model}`,
            messages: `${found.messages} of ${counted(found.users, 'user')}`,
            charge: rubles(found.charge),
            'refunded before': rubles(found.refunded),
            ...(found.running > 0 && {
              'not answered yet': `${found.running}: repeat the command`,
            }),
            [dryRun ? 'would be refunded' : 'refunded']: rubles(found.amount),
          }),
        ];
      }),
    );
}
