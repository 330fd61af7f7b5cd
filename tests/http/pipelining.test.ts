/** A second request on a connection before the answer to the first: the runtime ends the connection. */
import { expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { closed, expectBooksHold, openWorld } from '../support/world.ts';

/** Sends all of it at once. @returns what came until the connection ended */
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

test.each(dialects)('%s: of two pipelined sends, none is charged unseen', async (dialect) => {
  await using world = await openWorld(dialect);
  const { gateway, provider, user } = world;
  const alice = await user();
  const url = gateway.listen();
  await provider.script('good');
  const bodyOf = (message: string) =>
    JSON.stringify({ room_id: alice.room, ai: 101, message, chat_depth: 0 });
  const request = (key: string) => {
    const body = bodyOf(key);
    const head = [
      'POST /ai/send/ HTTP/1.1',
      'Host: zastava',
      `Authorization: Bearer ${alice.token}`,
    ];
    head.push('Content-Type: application/json', `Idempotency-Key: ${key}`);
    head.push(`Content-Length: ${body.length}`);
    return `${head.join('\r\n')}\r\n\r\n${body}`;
  };
  expect(await exchange(url, request('first') + request('second'))).toBe('');
  // The first goes on as if its client had hung up; the second was never begun.
  expect(await closed(alice)).toMatchObject({ request: 'first', state: 'done' });
  expect(provider.calls).toHaveLength(1);
  const charges = await alice.charges();
  expect(charges).toHaveLength(1);
  const again = await gateway.post('/ai/send/', bodyOf('first'), {
    token: alice.token,
    headers: { 'idempotency-key': 'first' },
  });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(await alice.charges()).toEqual(charges);
  await expectBooksHold(gateway);
});
