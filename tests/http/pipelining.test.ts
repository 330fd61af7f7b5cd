/** A second request on a connection before the answer to the first: the runtime ends the connection, nginx does not. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { closed, expectBooksHold, openWorld, type Chatter } from '../support/world.ts';
import { nginxIsHere, startNginx } from '../torture/support/nginx.ts';

/**
 * Sends the whole text at once.
 * @returns all bytes received until the connection ended
 */
async function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = '';
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(text),
      data: (_, bytes) => void (answer += bytes.toString()),
      close: () => resolve(answer),
    },
  });
  return promise;
}

const bodyOf = ({ room }: Chatter, message: string) =>
  JSON.stringify({ room_id: room, ai: 101, message, chat_depth: 0 });

/**
 * A send as it goes over the wire.
 * @param key its message, too
 */
function requestOf(sender: Chatter, key: string, ...headers: string[]): string {
  const body = bodyOf(sender, key);
  const head = [
    'POST /ai/send/ HTTP/1.1',
    'Host: zastava',
    `Authorization: Bearer ${sender.token}`,
    'Content-Type: application/json',
    `Idempotency-Key: ${key}`,
    `Content-Length: ${body.length}`,
    ...headers,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

test.each(dialects)('%s: of two pipelined sends, none is charged unseen', async (dialect) => {
  await using world = await openWorld(dialect);
  const { gateway, provider, user } = world;
  const alice = await user();
  const url = gateway.listen();
  await provider.script('good');
  const both = requestOf(alice, 'first') + requestOf(alice, 'second');
  expect(await exchange(url, both)).toBe('');
  // The first request continues as if its client had disconnected; the second was never started.
  expect(await closed(alice)).toMatchObject({ request: 'first', state: 'done' });
  expect(provider.calls).toHaveLength(1);
  const charges = await alice.charges();
  expect(charges).toHaveLength(1);
  const again = await gateway.post('/ai/send/', bodyOf(alice, 'first'), {
    token: alice.token,
    headers: { 'idempotency-key': 'first' },
  });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(await alice.charges()).toEqual(charges);
  await expectBooksHold(gateway);
});

describe.if(nginxIsHere)('behind nginx', () => {
  test('with deploy/nginx.conf two pipelined sends are answered one after the other', async () => {
    await using world = await openWorld('sqlite');
    const { gateway, provider, user } = world;
    const alice = await user();
    const ports = [Number(new URL(gateway.listen()).port)];
    await using nginx = await startNginx(ports);
    await provider.script('good');
    const second = requestOf(alice, 'second', 'Connection: close');
    const answers = await exchange(nginx.url, requestOf(alice, 'first') + second);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(answers.match(/"request":"\w+"/g)).toEqual(['"request":"first"', '"request":"second"']);
    expect(await alice.charges()).toHaveLength(2);
  });
});
