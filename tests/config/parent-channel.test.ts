import { expect, test } from 'bun:test';
import { join } from 'node:path';

const channelOf = join(import.meta.dir, '../../src/config/process.ts');

/** Opens the channel at once, and takes messages when its standard input has ended. */
const child = `
  const { parentChannel } = await import(${JSON.stringify(channelOf)});
  const channel = parentChannel();
  console.log('open');
  await Bun.stdin.text();
  channel.onMessage((message) => {
    console.log(message);
    if (message === 'last') process.exit(0);
  });
`;

test('messages that arrive before anything takes them are kept, in order', async () => {
  const started = Bun.spawn([process.execPath, '-e', child], {
    ipc: () => undefined,
    stdin: 'pipe',
    stdout: 'pipe',
  });
  try {
    const reader = started.stdout.getReader();
    const decoder = new TextDecoder();
    let printed = '';
    while (!printed.includes('open\n')) printed += decoder.decode((await reader.read()).value);
    for (const message of ['first', 'second', 'last']) started.send(message);
    await started.stdin.end();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      printed += decoder.decode(read.value);
    }
    expect(printed).toBe('open\nfirst\nsecond\nlast\n');
  } finally {
    started.kill('SIGKILL');
  }
});
