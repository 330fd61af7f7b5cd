/** An Ollama runs, the product starts in an empty directory, and a model of Ollama answers. */
import { expect, test } from 'bun:test';
import { OllamaDouble } from '../support/ollama-double.ts';
import { logIn, openInstallation, post, printedPassword } from './installation.ts';

test('a running Ollama is found at start, and its model answers', async () => {
  await using installation = await openInstallation();
  await using ollama = OllamaDouble.start();
  const server = await installation.serve({
    OLLAMA_HOST: ollama.host,
    ZASTAVA_OLLAMA: 'on',
    ZASTAVA_LOG_LEVEL: 'info',
  });
  const token = await logIn(server.url, 'admin', printedPassword(server.out()));
  const listed = await fetch(`${server.url}/v1/models`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await listed.text()).toContain('ollama/llama3.2:latest');
  const completion = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'ollama/llama3.2:latest',
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  expect(await completion.json()).toMatchObject({
    choices: [{ message: { content: 'Hello from the machine itself.' } }],
    usage: { prompt_tokens: 26, completion_tokens: 7 },
  });
  server.signal('SIGTERM');
  const { code, err } = await server.exited;
  expect(code).toBe(0);
  expect(err).toContain('for admins only until they have a price');
});

test('an address that listens but never answers does not delay the start', async () => {
  await using installation = await openInstallation();
  const silent = Promise.withResolvers<Response>();
  await using ollama = { [Symbol.asyncDispose]: () => listener.stop(true) };
  const listener = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => silent.promise });
  expect(ollama).toBeDefined();
  const server = await installation.serve({
    OLLAMA_HOST: listener.url.host,
    ZASTAVA_OLLAMA: 'on',
  });
  const token = await logIn(server.url, 'admin', printedPassword(server.out()));
  const { body } = await post(server.url, '/ai/settings/', {}, token);
  expect(body.data['ai']).toHaveLength(2);
  server.signal('SIGTERM');
  expect((await server.exited).code).toBe(0);
});

test('ZASTAVA_OLLAMA=off sends no request', async () => {
  await using installation = await openInstallation();
  await using ollama = OllamaDouble.start();
  const server = await installation.serve({ OLLAMA_HOST: ollama.host, ZASTAVA_OLLAMA: 'off' });
  server.signal('SIGTERM');
  expect((await server.exited).code).toBe(0);
  expect(ollama.calls).toEqual([]);
});

test('an invalid OLLAMA_HOST is refused by name', async () => {
  await using installation = await openInstallation();
  const { code, err } = await installation.run(['serve'], {
    env: { OLLAMA_HOST: 'two words', ZASTAVA_OLLAMA: 'on' },
  });
  expect(code).toBe(78);
  expect(err).toMatch(/^zastava: OLLAMA_HOST: must be host:port [^\n]+ZASTAVA_OLLAMA=off\n$/);
});
