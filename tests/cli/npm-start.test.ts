/** README's way: `npm start` in a terminal, and Ctrl-C. The terminal sends SIGINT to npm and to the server. */
import { expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import {
  logIn,
  openInstallation,
  post,
  printedPassword,
  scriptedCatalogue,
} from './installation.ts';

const checkout = resolve(import.meta.dir, '../..');
const CTRL_C = '\x03';

/** Runs `npm start` in a pseudo-terminal. */
function npmStart(env: Record<string, string>) {
  let shown = '';
  const listening = Promise.withResolvers<string>();
  const decoder = new TextDecoder();
  const child = Bun.spawn(['npm', 'start'], {
    cwd: checkout,
    env,
    terminal: {
      cols: 400,
      data(_, bytes) {
        shown += decoder.decode(bytes, { stream: true }).replaceAll('\r\n', '\n');
        const url = /^listening on (\S+)$/m.exec(shown)?.[1];
        if (url !== undefined) listening.resolve(url);
      },
    },
  });
  void child.exited.then(() => listening.reject(new Error(`npm start ended: ${shown}`)));
  return {
    url: listening.promise,
    shown: () => shown,
    type: (text: string) => void child.terminal?.write(text),
    exited: child.exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
      child.terminal?.close();
    },
  };
}

test('Ctrl-C at `npm start` lets a running send finish, and ends with 0', async () => {
  await using provider = await ScriptedProvider.start();
  await using installation = await openInstallation();
  await provider.script('hold');
  const file = join(installation.dir, 'catalogue.yaml');
  await writeFile(file, scriptedCatalogue(provider.baseUrl));
  await using started = npmStart({ ...installation.env, ZASTAVA_CATALOGUE: file });
  const url = await started.url;
  const token = await logIn(url, 'admin', printedPassword(started.shown()));
  const room = await post(url, '/ai/room/', {}, token);
  const message = { room_id: room.body.data['room_id'], ai: 101, message: 'Hello' };
  const sending = post(url, '/ai/send/', message, token);
  await provider.held(1);
  started.type(CTRL_C);
  while ((await fetch(`${url}/readyz`)).status !== 503);
  // The command takes far longer than npm needs to pass on the signal.
  const admin = await installation.json<{ held: number }>(['user', 'show', 'admin']);
  expect(admin.held).toBeGreaterThan(0);
  provider.release();
  const { status, body } = await sending;
  expect([status, body.data['response']]).toEqual([200, 'echo: Hello']);
  expect(await started.exited).toBe(0);
});
