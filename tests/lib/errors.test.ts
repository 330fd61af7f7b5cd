import { expect, test } from 'bun:test';
import { messageOf } from '../../src/lib/errors.ts';
import { failure } from '../support/failure.ts';

test('a broken connection is described without advice for programmers', async () => {
  using server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => socket.terminate() },
  });
  const message = messageOf(await failure(fetch(`http://127.0.0.1:${server.port}/`)));
  expect(message).toEndWith('The socket connection was closed unexpectedly');
  expect(messageOf('text')).toBe('text');
});
