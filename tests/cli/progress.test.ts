/** How long tasks report their progress, on a terminal and elsewhere. */
import { expect, test } from 'bun:test';
import { Output } from '../../src/cli/output.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { withProgress } from '../../src/cli/progress.ts';

async function outputOf(interactive: boolean, json = false): Promise<string> {
  let printed = '';
  const terminal: Terminal = {
    interactive,
    write: () => Promise.resolve(),
    writeError: (text) => {
      printed += text;
      return Promise.resolve();
    },
    ask: () => Promise.resolve(''),
    readAll: () => Promise.resolve(''),
  };
  const output = new Output(terminal);
  output.json = json;
  await withProgress({ terminal, output }, (update) => {
    update({ name: 'out', done: 0, total: 8, rate: 0 });
    update({ name: 'out', done: 8, total: 8, rate: 1234 });
    update({ name: 'pages', done: 1234, total: undefined, rate: 2 });
    return Promise.resolve();
  });
  return printed;
}

test('without a terminal, progress is plain lines', async () => {
  expect(await outputOf(false)).toBe('out: 0 %, 0/s\nout: 100 %, 1,234/s\npages: 1,234 2/s\n');
});

test('on a terminal, progress is a bar that is redrawn', async () => {
  const lines = (await outputOf(true)).split('\r\u001B[K');
  expect(lines[1]).toBe(`out        ${'·'.repeat(24)}   0 %  0/s`);
  expect(lines[2]).toBe(`out        ${'█'.repeat(24)} 100 %  1,234/s\n`);
});

test('with --json, progress is lines of JSON, on a terminal too', async () => {
  const lines = [
    '{"progress":{"step":"out","done":0,"total":8}}',
    '{"progress":{"step":"out","done":8,"total":8}}',
    '{"progress":{"step":"pages","done":1234,"total":null}}',
  ];
  for (const interactive of [false, true]) {
    expect(await outputOf(interactive, true)).toBe(`${lines.join('\n')}\n`);
  }
});
