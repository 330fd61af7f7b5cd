/** Output is complete, whatever the streams of the process are. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const source = resolve(import.meta.dir, '../../src/cli/terminal.ts');
/** Several pages of a file, and more than a pipe holds. */
const text = `${'слово '.repeat(20_000)}\n`;
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zastava-terminal-'));
  const program = `
    import { systemTerminal as terminal } from ${JSON.stringify(source)};
    const text = 'слово '.repeat(20_000) + '\\n';
    try {
      await terminal.write(text);
      await terminal.write('end\\n');
    } catch (error) {
      await terminal.writeError(error.code);
    }`;
  await Bun.write(join(directory, 'print.ts'), program);
});
afterAll(() => rm(directory, { recursive: true }));

/** @param line of a shell, in which PRINT stands for a command that prints */
async function shell(line: string): Promise<{ out: string; err: string }> {
  const command = line.replaceAll('PRINT', `"${process.execPath}" print.ts`);
  const child = Bun.spawn(['sh', '-c', command], {
    cwd: directory,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const out = await new Response(child.stdout).text();
  return { out, err: await new Response(child.stderr).text() };
}

test('output that is appended to a file, empty or not, is complete and unchanged', async () => {
  const file = Bun.file(join(directory, 'log'));
  await shell('PRINT >> log');
  expect((await file.text()) === `${text}end\n`).toBe(true);
  await shell('PRINT >> log');
  expect((await file.text()) === `${text}end\n`.repeat(2)).toBe(true);
});

test('output is complete in a file that is overwritten, and in one that several commands share', async () => {
  await shell('(echo begin; PRINT; echo after) > log');
  const printed = await Bun.file(join(directory, 'log')).text();
  expect(printed === `begin\n${text}end\nafter\n`).toBe(true);
});

test('a pipe with a smaller buffer gets all output', async () => {
  const { out } = await shell('PRINT | cat');
  expect(out === `${text}end\n`).toBe(true);
});

test('a pipe whose reader has gone is reported', async () => {
  expect((await shell('PRINT | true')).err).toBe('EPIPE');
});
