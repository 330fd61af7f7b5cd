/** Decompression and its bounds. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from 'node:zlib';
import { FETCH_LIMITS, MIB } from '../../../src/trust/page/limits.ts';
import { createWorld, reasonOf, textOf, type World } from './world.ts';

// Making a bomb of 1 GB takes long.
setDefaultTimeout(300_000);

async function serveEncoded(world: World, encoding: string, body: Uint8Array): Promise<void> {
  await world.serve('a.example', (_, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(body);
  });
  world.start();
}

/** Zeros, `mebibytes` of them, compressed as they are made. */
async function bombOf(mebibytes: number): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const zeros = Buffer.alloc(MIB);
  for (let count = 0; count < mebibytes; count++) {
    if (!gzip.write(zeros)) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end();
  await new Promise((resolve) => gzip.once('end', resolve));
  return Buffer.concat(chunks);
}

const text = 'Привет, мир! '.repeat(1_000);
const bytes = Buffer.from(text);

describe('a body is decompressed', () => {
  test.each([
    ['gzip', gzipSync(bytes)],
    ['x-gzip', gzipSync(bytes)],
    ['GZip', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['deflate', deflateRawSync(bytes)],
    ['br', brotliCompressSync(bytes)],
    ['identity', bytes],
    ['', bytes],
  ])('from %p', async (encoding, body) => {
    await using world = createWorld();
    await serveEncoded(world, encoding, body);
    expect(await textOf(world.fetch, 'http://a.example/')).toBe(text);
    expect(world.events).toMatchObject([{ wireBytes: body.length, decodedBytes: bytes.length }]);
  });

  test('when it is empty', async () => {
    await using world = createWorld();
    await serveEncoded(world, 'gzip', Buffer.alloc(0));
    expect(await textOf(world.fetch, 'http://a.example/')).toBe('');
  });
});

describe('a body is refused', () => {
  test.each([
    ['gzip, gzip', gzipSync(gzipSync(bytes))],
    ['br, gzip', gzipSync(brotliCompressSync(bytes))],
    ['zstd', bytes],
    ['compress', bytes],
    ['nonsense', bytes],
    ['gzip', bytes],
    ['br', Buffer.from('no brotli at all')],
    ['deflate', Buffer.from('no deflate at all')],
    ['gzip', gzipSync(bytes).subarray(0, 50)],
  ])('with an invalid, nested or unknown encoding: %p', async (encoding, body) => {
    await using world = createWorld();
    await serveEncoded(world, encoding, body);
    expect(await reasonOf(textOf(world.fetch, 'http://a.example/'))).toBe('encoding');
  });

  test('as a bomb of 1 GB, after its first megabytes', async () => {
    await using world = createWorld();
    const bomb = await bombOf(1_024);
    expect(bomb.length).toBeLessThan(2 * MIB);
    await serveEncoded(world, 'gzip', bomb);
    expect(await reasonOf(textOf(world.fetch, 'http://a.example/'))).toBe('bomb');
    expect(world.events[0]?.decodedBytes).toBeLessThan(2 * MIB);
  });

  test('as a bomb in brotli', async () => {
    await using world = createWorld();
    const params = { [constants.BROTLI_PARAM_QUALITY]: 2 };
    await serveEncoded(world, 'br', brotliCompressSync(Buffer.alloc(32 * MIB), { params }));
    expect(await reasonOf(textOf(world.fetch, 'http://a.example/'))).toBe('bomb');
  });
});

describe('a body is cut', () => {
  test('when it decompresses to more than the limit', async () => {
    await using world = createWorld();
    const noise = Buffer.from(
      Array.from({ length: 12 * MIB }, (_, index) => 97 + ((index * index) % 7) + (index % 3)),
    );
    await serveEncoded(world, 'gzip', gzipSync(noise, { level: 1 }));
    world.start({ ratioMax: 1_000_000 });
    expect((await textOf(world.fetch, 'http://a.example/')).length).toBe(
      FETCH_LIMITS.decodedBytesMax,
    );
    expect(world.events[0]).toMatchObject({ outcome: 'ok', truncated: true });
  });

  test('when it is longer than the limit on the wire', async () => {
    await using world = createWorld();
    const random = crypto.getRandomValues(new Uint8Array(65_536));
    const noise = Buffer.concat(Array.from({ length: 48 }, () => random));
    await serveEncoded(world, 'gzip', gzipSync(noise, { level: 0 }));
    await world.fetch.get('http://a.example/', {}, async ({ body }) => {
      let read = 0;
      for await (const chunk of body) read += chunk.length;
      expect(read).toBeGreaterThan(FETCH_LIMITS.wireBytesMax - 65_536);
    });
    const cut = { truncated: true, wireBytes: FETCH_LIMITS.wireBytesMax };
    expect(world.events[0]).toMatchObject(cut);
  });
});

test('an unread body leaves no connection behind', async () => {
  await using world = createWorld();
  await serveEncoded(world, 'gzip', gzipSync(bytes));
  for (let round = 0; round < 20; round++) {
    const status = await world.fetch.get('http://a.example/', {}, (response) =>
      Promise.resolve(response.status),
    );
    expect(status).toBe(200);
  }
  await world.fetch.get('http://a.example/', {}, async ({ body }) => {
    for await (const _ of body) break;
  });
});
