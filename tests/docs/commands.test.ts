/** Every command line in the documents agrees with the existing commands and options. */
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CliContext } from '../../src/cli/context.ts';
import { buildProgram } from '../../src/cli/program.ts';

const root = resolve(import.meta.dir, '../..');
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];

// Only the names and options of commands are compared, so they need no implementation.
const context = {
  version: '1.2.3',
  output: {},
  settingWarnings: () => [],
} as unknown as CliContext;
const program = await buildProgram(context, [], { out: '', err: '' });

/** Commands in shell blocks (where a container or a unit may be named `zastava` too) and between backticks. */
function commandLinesOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const inline = [...text.matchAll(/`(?:npx |bin\/)?(zastava [a-z][^`]*)`/g)].map(
    ([, line = '']) => line,
  );
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  const shown = lines.flatMap((line) =>
    [
      ...line.matchAll(/(?:^|&& |npx |bin\/|(?<!scp )dist\/|[A-Z]=\S+ )(zastava [a-z][^#|;&<]*)/g),
    ].map(([, one = '']) => one),
  );
  return [...shown, ...inline].map((line) => line.replaceAll(/\s+/g, ' ').trim());
}

/** What is wrong with a command line; undefined if nothing is. */
function problemOf(line: string): string | undefined {
  const [, ...words] = line.split(' ');
  let command: Command = program;
  for (const word of words) {
    const child = command.commands.find((one) => one.name() === word);
    if (!child) break;
    command = child;
  }
  if (command.commands.length > 0) return 'names no command';
  const known = [...command.options, ...program.options].flatMap(({ long }) => long ?? []);
  const unknown = words
    .map((word) => /^--[a-z-]+/.exec(word)?.[0])
    .filter((option) => option !== undefined && option !== '--help' && !known.includes(option));
  return unknown.length === 0 ? undefined : `has no ${unknown.join(', ')}`;
}

describe.each(documents.filter((path) => path.endsWith('.md')))('%s', (path) => {
  test('shows commands and options that exist', async () => {
    const lines = commandLinesOf(await Bun.file(join(root, path)).text());
    const wrong = lines.flatMap((line) => {
      const problem = problemOf(line);
      return problem === undefined ? [] : [`${line}: ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  // npx is slower, and outside the checkout it asks the registry for a package that is not this one.
  test('shows no command by npx', async () => {
    expect(await Bun.file(join(root, path)).text()).not.toMatch(/^(?:.*&& )?npx zastava /m);
  });
});

test('finds what is wrong', () => {
  expect(problemOf('zastava user add ivan --credits 500')).toBe('has no --credits');
  expect(problemOf('zastava user ad ivan')).toBe('names no command');
  expect(problemOf('zastava user add ivan --credit 500 --json')).toBeUndefined();
  expect(commandLinesOf('```sh\nbin/zastava key list ivan   # a comment\n```')).toEqual([
    'zastava key list ivan',
  ]);
});
