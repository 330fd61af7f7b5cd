import { CommanderError } from 'commander';
import { DomainError, messageOf } from '../lib/errors.ts';
import { dataDirProblem, readConfig, SettingError, type Environment } from '../config/index.ts';
import type { CliContext, CliParts } from './context.ts';
import { Output } from './output.ts';
import { buildProgram, withoutHelpWord } from './program.ts';

/** The command was understood but refused, or it found a problem. */
const EXIT_REFUSED = 1;
/** The command line was invalid. */
const EXIT_USAGE = 2;
/** A setting is invalid: `EX_CONFIG` of sysexits.h. deploy/zastava.service does not restart the server then. */
const EXIT_SETTING = 78;

/** Runs a command. @param words after the program's name @returns the exit code */
export async function runCommandLine(parts: CliParts, words: readonly string[]): Promise<number> {
  const output = new Output(parts.terminal);
  // Used for errors of parsing; an action sets it exactly.
  output.json = words.includes('--json');
  const context: CliContext = {
    ...parts,
    output,
    exitCode: 0,
  };
  const printed = { out: '', err: '' };
  try {
    const program = await buildProgram(context, words, printed);
    await program.parseAsync([...withoutHelpWord(program, words)], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    return await report(output, printed, await explained(error, parts.env));
  } finally {
    if (printed.out !== '') await output.raw(printed.out).catch(ignore);
  }
}

/** The error, in words that name the file if this user may not use a file of the data directory. */
async function explained(error: unknown, env: Environment): Promise<unknown> {
  try {
    return (await dataDirProblem(error, readConfig(env))) ?? error;
  } catch {
    // The settings themselves are invalid, and the error says so.
    return error;
  }
}

async function report(output: Output, printed: { err: string }, error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    await reportUsage(error, output, printed.err).catch(ignore);
    return EXIT_USAGE;
  }
  // The reader of our output has closed it, as in `zastava user list | head`.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return EXIT_REFUSED;
  const isDomain = error instanceof DomainError;
  const details = isDomain ? error.details : [];
  const [first = '', ...rest] = linesOf(error);
  await output
    .error(
      {
        code: isDomain ? error.code : 'failed',
        message: output.json ? messageOf(error) : first,
        ...(details.length > 0 && { details }),
      },
      rest,
    )
    .catch(ignore);
  return error instanceof SettingError ? EXIT_SETTING : EXIT_REFUSED;
}

function linesOf(error: unknown): readonly string[] {
  const lines = messageOf(error).split('\n');
  if (!(error instanceof DomainError)) return lines;
  if (error.lines.length > 0) return error.lines;
  if (error.details.length < 2) return lines;
  return lines.concat(error.details.map(({ path, message }) => `  ${path}: ${message}`));
}

/** @param hint from the parser, or the help of a group that was called without a command */
async function reportUsage(error: CommanderError, output: Output, hint: string): Promise<void> {
  if (error.code !== 'commander.help') {
    const message = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
    const stop = /[.?)]$/.test(message) ? '' : '.';
    return output.error({ code: 'usage', message: `${message}${stop} ${hint}`.trim() });
  }
  if (!output.json) return output.note(hint.trimEnd());
  return output.error({ code: 'usage', message: 'a command is missing; --help lists them' });
}

/** Nobody reads our output any more. */
function ignore(): void {}
