import type { Command } from 'commander';
import { verifyBooks, type BookCheck } from '../ledger/index.ts';
import { define, defineGroup, onCore, type CliContext } from './context.ts';

const EXIT_BROKEN = 1;

export function ledgerCommands(program: Command, context: CliContext): void {
  const ledger = defineGroup(program, 'ledger', 'the books');
  define(
    ledger,
    'verify',
    'check that the books are consistent; the exit code is 1 when they are not',
    ['zastava ledger verify'],
  ).action(
    onCore(context, async ({ db }) => {
      const checks = await verifyBooks(db);
      const holds = checks.every((check) => check.holds);
      if (!holds) context.exitCode = EXIT_BROKEN;
      const verdict = holds ? 'the books hold' : 'the books DO NOT HOLD';
      return [{ holds, checks }, [...checks.flatMap(checkLines), verdict].join('\n')];
    }),
  );
}

function checkLines({ name, holds, checked, broken }: BookCheck): string[] {
  return [
    `${holds ? 'ok    ' : 'BROKEN'}  ${name} (${checked} checked)`,
    ...broken.map((row) => `        ${JSON.stringify(row)}`),
  ];
}
