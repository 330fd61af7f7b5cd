/** A bucket that accepts connections and does not answer. */
import { expect, test } from 'bun:test';
import { S3Store } from '../../src/images/index.ts';
import { ImageStoreUnavailableError } from '../../src/lib/errors.ts';
import { failure } from '../support/failure.ts';

const PNG_ID = `${'0'.repeat(48)}.png`;

test('every call to a store that never answers times out', async () => {
  using silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const store = storeAt(silent.port);
  const calls = {
    put: () => store.put(PNG_ID, new Uint8Array(8), 'image/png'),
    get: () => store.get(PNG_ID),
    'get of a range': () => store.get(PNG_ID, { start: 0, end: 4 }),
    remove: () => store.remove(PNG_ID),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await failure(call());
    expect(error).toBeInstanceOf(ImageStoreUnavailableError);
    expect([name, String(error)]).toEqual([
      name,
      expect.stringContaining('(no answer within 0.05 s): check that it runs, and that ZASTAVA_'),
    ]);
  }
});

test('and so does a read that stops in the middle of an image', async () => {
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf';
  using torn = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => void socket.write(half) },
  });
  expect(String(await failure(storeAt(torn.port).get(PNG_ID)))).toContain('no answer within');
});

function storeAt(port: number): S3Store {
  const keys = { accessKeyId: 'access-key', secretAccessKey: 'secret-key' };
  const endpoint = `http://127.0.0.1:${port}`;
  return new S3Store({ ...keys, bucket: 'pictures', endpoint, region: 'eu', patienceMs: 50 });
}
