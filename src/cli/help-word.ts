import type { Command } from 'commander';

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
