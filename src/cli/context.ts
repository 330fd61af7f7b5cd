import type { Command } from 'commander';
import type { Output } from './output.ts';
import type { CliCore, CliParts } from './parts.ts';

/** What the actions of commands work with. */
export interface CliContext extends CliParts {
  output: Output;
  /** Set by a command that ran to its end and found something wrong. */
  exitCode: number;
}

/** Runs the work of a command on the open modules, and closes them however it ends. */
export async function withCore<T>(
  context: CliContext,
  work: (core: CliCore) => Promise<T>,
): Promise<T> {
  const core = await context.openCore();
  try {
    return await work(core);
  } finally {
    await core.close();
  }
}

/** Adds examples to the end of a command's help. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  const heading = lines.length === 1 ? 'Example:' : 'Examples:';
  return command.addHelpText('after', `\n${heading}\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
