import type { Command } from 'commander';
import type { Environment } from '../config/index.ts';
import type { Core } from '../core.ts';
import { openForCommand, type CommandNeeds } from './open-core.ts';
import type { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What the process hands to the command line. */
export interface CliParts {
  version: string;
  terminal: Terminal;
  env: Environment;
  /** Tests hand in modules of their own. */
  openCore?: typeof openForCommand;
}

/** What the actions of commands use. */
export interface CliContext extends CliParts {
  output: Output;
  needs: CommandNeeds;
  /** Set by a command that ran to its end and found something wrong. */
  exitCode: number;
}

/** Runs a command's work on the open modules, and closes them afterwards in any case. */
export async function withCore<T>(
  context: CliContext,
  work: (core: Core) => Promise<T>,
): Promise<T> {
  const { openCore = openForCommand, env, needs } = context;
  const core = await openCore(env, needs);
  try {
    return await work(core);
  } finally {
    await core.close();
  }
}

/** Marks a command that may be the first one on a data directory: it creates the database. */
export function beginning(command: Command, context: CliContext): Command {
  return command.hook('preAction', () => {
    context.needs.mayBegin = true;
  });
}

/** Marks a command, or all of a group, as one that may encrypt provider keys. */
export function sealing(command: Command, context: CliContext): Command {
  return command.hook('preAction', () => {
    context.needs.seals = true;
  });
}

/** Adds a command, with the examples at the end of its help. */
export function define(
  parent: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  const command = parent.command(name).description(description);
  const heading = examples.length === 1 ? 'Example:' : 'Examples:';
  command.addHelpText('after', `\n${heading}\n${examples.map((line) => `  ${line}`).join('\n')}`);
  return hinted(command);
}

/** Adds a group of commands. */
export function defineGroup(program: Command, name: string, description: string): Command {
  return hinted(program.command(name).description(description));
}

function hinted(command: Command): Command {
  return command.showHelpAfterError(`See: ${pathOf(command)} --help`);
}

/** `zastava trust release use`. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}
