import { Command } from 'commander';
import { backupCommand } from './backup.ts';
import { catalogueCommands } from './catalogue.ts';
import type { CliContext } from './context.ts';
import { keyCommands } from './key.ts';
import { ledgerCommands } from './ledger-verify.ts';
import { reconcileCommand } from './reconcile.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { trustCommands } from './trust.ts';
import { userCommands } from './user.ts';

/** @param printed takes what the parser itself prints: help to `out`, hints to `err` */
export function buildProgram(context: CliContext, printed: { out: string; err: string }): Command {
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
    .hook('preAction', (_, command) => {
      context.output.json = command.optsWithGlobals<{ json?: boolean }>().json ?? false;
    });
  serveCommand(program, context);
  userCommands(program, context);
  keyCommands(program, context);
  catalogueCommands(program, context);
  ledgerCommands(program, context);
  reconcileCommand(program, context);
  trustCommands(program, context);
  backupCommand(program, context);
  restoreCommand(program, context);
  return program;
}
