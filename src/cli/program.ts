import { Command, Help } from 'commander';
import { settingWarnings } from '../config/index.ts';
import type { CliContext } from './context.ts';

type Define = (program: Command, context: CliContext) => void;

/** By the first word of each command. Only the needed one is loaded. */
const commands: ReadonlyMap<string, () => Promise<Define>> = new Map([
  ['serve', async () => (await import('./serve.ts')).serveCommand],
  ['user', async () => (await import('./user.ts')).userCommands],
  ['key', async () => (await import('./key.ts')).keyCommands],
  ['voucher', async () => (await import('./voucher.ts')).voucherCommands],
  ['invitation', async () => (await import('./invitation.ts')).invitationCommands],
  ['catalogue', async () => (await import('./catalogue.ts')).catalogueCommands],
  ['secret', async () => (await import('./secret.ts')).secretCommands],
  ['status', async () => (await import('./status.ts')).statusCommand],
  ['usage', async () => (await import('./usage.ts')).usageCommand],
  ['refund', async () => (await import('./refund.ts')).refundCommand],
  ['report', async () => (await import('./report.ts')).reportCommand],
  ['audit', async () => (await import('./audit.ts')).auditCommand],
  ['ledger', async () => (await import('./ledger-verify.ts')).ledgerCommands],
  ['reconcile', async () => (await import('./reconcile.ts')).reconcileCommand],
  ['trust', async () => (await import('./trust.ts')).trustCommands],
  ['backup', async () => (await import('./backup.ts')).backupCommand],
  ['restore', async () => (await import('./backup.ts')).restoreCommand],
  ['copy-to-postgres', async () => (await import('./backup.ts')).copyToPostgresCommand],
]);

/**
 * @param words the command line: only the command that it names is defined, or all of them if it names none
 * @param printed receives what the parser prints: help in `out`, hints in `err`
 */
export async function buildProgram(
  context: CliContext,
  words: readonly string[],
  printed: { out: string; err: string },
): Promise<Command> {
  const program = new Command('zastava')
    .description('A gateway to AI models with prepaid billing. Settings are environment variables.')
    .version(context.version)
    .option('--json', 'print JSON, for programs')
    .configureHelp({
      showGlobalOptions: true,
      optionDescription: (option) =>
        new Help().optionDescription(option) + (option.mandatory ? ' (required)' : ''),
    })
    .configureOutput({
      writeOut: (text) => (printed.out += text),
      writeErr: (text) => (printed.err += text),
      // The error contains the message.
      outputError: () => {},
    })
    .exitOverride()
    .showHelpAfterError('See: zastava --help')
    .hook('preAction', async (_, command) => {
      context.output.json = command.optsWithGlobals<{ json?: boolean }>().json ?? false;
      // A server writes warnings to its log.
      if (command.name() === 'serve') return;
      for (const warning of settingWarnings(context.env)) await context.output.warn(warning);
    });
  const named = commands.get(words.find((word) => !word.startsWith('-')) ?? '');
  for (const load of named ? [named] : commands.values()) (await load())(program, context);
  return program;
}

/**
 * Turns `help user credit` and `user help credit` into `user credit --help`: the parser's own `help` looks only one
 * command deep, and ignores unknown commands.
 * @returns the command line, up to the first unknown command, which the parser then refuses
 */
export function withoutHelpWord(program: Command, words: readonly string[]): readonly string[] {
  const operands = words.filter((word) => !word.startsWith('-'));
  const isGroup = (childOf(program, operands[0])?.commands.length ?? 0) > 0;
  const at = operands[0] === 'help' ? 0 : 1;
  if (operands[at] !== 'help' || (at === 1 && !isGroup)) return words;
  const path: string[] = [];
  let command = program;
  for (const name of operands.toSpliced(at, 1)) {
    if (command.commands.length === 0) break;
    path.push(name);
    const child = childOf(command, name);
    if (!child) return path;
    command = child;
  }
  return [...path, '--help'];
}

function childOf(command: Command, name: string | undefined): Command | undefined {
  return command.commands.find((child) => child.name() === name);
}
