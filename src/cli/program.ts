import { Command } from 'commander';
import { settingWarnings } from '../config/index.ts';
import type { CliContext } from './context.ts';

type Define = (program: Command, context: CliContext) => void;

/** By the word that each begins with. Loaded by who needs them: a server starts without the others. */
const commands: ReadonlyMap<string, () => Promise<Define>> = new Map([
  ['serve', async () => (await import('./serve.ts')).serveCommand],
  ['user', async () => (await import('./user.ts')).userCommands],
  ['key', async () => (await import('./key.ts')).keyCommands],
  ['catalogue', async () => (await import('./catalogue.ts')).catalogueCommands],
  ['secret', async () => (await import('./secret.ts')).secretCommands],
  ['ledger', async () => (await import('./ledger-verify.ts')).ledgerCommands],
  ['reconcile', async () => (await import('./reconcile.ts')).reconcileCommand],
  ['trust', async () => (await import('./trust.ts')).trustCommands],
  ['backup', async () => (await import('./backup.ts')).backupCommand],
  ['restore', async () => (await import('./restore.ts')).restoreCommand],
  ['copy-to-postgres', async () => (await import('./copy-to-postgres.ts')).copyToPostgresCommand],
]);

/**
 * @param words the command line: the program knows the command that it names, or all where it names none
 * @param printed takes what the parser itself prints: help to `out`, hints to `err`
 */
export async function buildProgram(
  context: CliContext,
  words: readonly string[],
  printed: { out: string; err: string },
): Promise<Command> {
  const program = new Command('zastava')
    .description('A gateway to AI models with prepaid billing. Settings are environment variables.')
    .version(context.version)
    .option('--json', 'print JSON, for machines')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => (printed.out += text),
      writeErr: (text) => (printed.err += text),
      // The message comes with the error.
      outputError: () => {},
    })
    .exitOverride()
    .showHelpAfterError('See: zastava --help')
    .hook('preAction', async (_, command) => {
      context.output.json = command.optsWithGlobals<{ json?: boolean }>().json ?? false;
      // A server says so in its log.
      if (command.name() === 'serve') return;
      for (const warning of settingWarnings(context.env)) await context.output.warn(warning);
    });
  const named = commands.get(words.find((word) => !word.startsWith('-')) ?? '');
  for (const load of named ? [named] : commands.values()) (await load())(program, context);
  return program;
}
