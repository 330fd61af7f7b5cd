/** Generated images over HTTP, from each kind of store. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { imageStores, s3Env } from '../support/image-stores.ts';
import { startS3Double, type S3Double } from '../support/s3-double.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { openWorld, type Chatter, type World } from '../support/world.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

const ERROR_LEVEL = 50;

for (const { name, dialect, s3 } of imageStores) {
  describe(`images in store ${name}`, () => {
    let world: World;
    let double: S3Double;
    let alice: Chatter;
    let logged: LogLine[];
    /** An image of the built-in sandbox: its path and its bytes. */
    let path: string;
    let bytes: Buffer;

    beforeAll(async () => {
      double = startS3Double();
      logged = [];
      world = await openWorld(dialect, {
        log: recordingLog(logged),
        ...(s3 && { env: s3Env(double) }),
      });
      alice = await world.user();
      path = await draw({ seed: 7 });
      bytes = await bytesOf(await get());
    });
    afterAll(async () => {
      await world[Symbol.asyncDispose]();
      await double[Symbol.asyncDispose]();
    });

    const draw = async (body: object = {}, message = 'a gate at dawn') => {
      const sent = await alice.send({ ai: 2, message, ...body });
      return new URL(sent.response).pathname;
    };
    const get = (headers: Record<string, string> = {}, method = 'GET', at = path) =>
      world.gateway.fetch(at, { method, headers });
    const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

    test('the address is unguessable and readable without a token', async () => {
      expect(path).toMatch(/^\/images\/[0-9a-f]{48}\.png$/);
      const response = await get();
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
      expect(response.headers.get('accept-ranges')).toBe('bytes');
      expect(response.headers.get('etag')).toBe(
        `"${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}"`,
      );
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'");
      const { width, height } = PNG.sync.read(bytes);
      expect(Math.min(width, height)).toBeGreaterThan(0);
    });

    test("a provider's image is stored unchanged", async () => {
      const { response } = await alice.send({ ai: 103 });
      const at = new URL(response).pathname;
      expect((await bytesOf(await get({}, 'GET', at))).equals(tinyPng)).toBe(true);
    });

    test("an image at the provider's own address is fetched and stored", async () => {
      const { provider } = world;
      await provider.script({ imageUrl: `${provider.baseUrl}/image.png` });
      const { response } = await alice.send({ ai: 103 });
      await provider.script('good');
      expect(response).not.toContain(provider.baseUrl);
      const at = new URL(response).pathname;
      expect((await bytesOf(await get({}, 'GET', at))).equals(tinyPng)).toBe(true);
    });

    test('the same seed gives the same bytes at another address', async () => {
      const again = await draw({ seed: 7 });
      expect(again).not.toBe(path);
      expect((await bytesOf(await get({}, 'GET', again))).equals(bytes)).toBe(true);
      const other = await draw({ seed: 8 });
      expect((await bytesOf(await get({}, 'GET', other))).equals(bytes)).toBe(false);
    });

    test('without a seed, a random one is used and returned', async () => {
      const [first, second] = [await alice.send({ ai: 2 }), await alice.send({ ai: 2 })];
      expect(first.seed).not.toBeNull();
      expect(first.seed).not.toBe(second.seed);
      const again = await draw({ seed: first.seed }, 'Hello');
      const firstBytes = await bytesOf(await get({}, 'GET', new URL(first.response).pathname));
      expect((await bytesOf(await get({}, 'GET', again))).equals(firstBytes)).toBe(true);
    });

    test('HEAD answers with the headers of GET, without the bytes', async () => {
      const [head, whole] = [await get({}, 'HEAD'), await get()];
      expect(head.status).toBe(200);
      for (const header of ['content-type', 'content-length', 'etag', 'accept-ranges']) {
        expect(head.headers.get(header)).toBe(whole.headers.get(header));
      }
      expect((await bytesOf(head)).length).toBe(0);
      for (const range of ['bytes=0-0', `bytes=${bytes.length}-`]) {
        const ranged = await get({ range }, 'HEAD');
        expect([ranged.status, ranged.headers.get('content-range')]).toEqual([200, null]);
        expect(ranged.headers.get('content-length')).toBe(String(bytes.length));
      }
    });

    test('a known ETag gets 304', async () => {
      const etag = (await get()).headers.get('etag') ?? '';
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const response = await get({ 'if-none-match': known });
        expect([known, response.status]).toEqual([known, 304]);
        expect(response.headers.get('etag')).toBe(etag);
        expect((await bytesOf(response)).length).toBe(0);
      }
      expect((await get({ 'if-none-match': '"x"' })).status).toBe(200);
    });

    test('a range gets 206 with exactly its bytes', async () => {
      const size = bytes.length;
      const ranges: [range: string, start: number, end: number][] = [
        ['bytes=0-0', 0, 1],
        ['bytes=0-9', 0, 10],
        ['bytes=5-', 5, size],
        [`bytes=${size - 1}-`, size - 1, size],
        [`bytes=3-${size * 9}`, 3, size],
        ['bytes=3-99999999999999999999', 3, size],
        ['bytes=-4', size - 4, size],
        [`bytes=-${size * 9}`, 0, size],
      ];
      for (const [range, start, end] of ranges) {
        const response = await get({ range });
        expect([range, response.status]).toEqual([range, 206]);
        expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`);
        expect(response.headers.get('content-length')).toBe(String(end - start));
        expect((await bytesOf(response)).equals(bytes.subarray(start, end))).toBe(true);
      }
    });

    test('a range that cannot be satisfied gets 416 with the size', async () => {
      for (const range of [`bytes=${bytes.length}-`, 'bytes=99999999999999999999-', 'bytes=-0']) {
        const response = await get({ range });
        expect([range, response.status]).toEqual([range, 416]);
        expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
      }
    });

    test('an invalid range, several ranges, or one of another version get the whole image', async () => {
      const odd = ['bytes=', 'bytes=-', 'bytes=5-2', 'bytes=a-b', 'lines=0-1', 'bytes=0-1,4-5'];
      for (const range of odd) expect([range, (await get({ range })).status]).toEqual([range, 200]);
      const other = await get({ range: 'bytes=0-9', 'if-range': '"other"' });
      expect(other.status).toBe(200);
      const etag = (await get()).headers.get('etag') ?? '';
      expect((await get({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
      expect((await get({ range: 'bytes=0-9', 'if-none-match': etag })).status).toBe(304);
    });

    test('ranges work over a real connection with curl', async () => {
      const url = world.gateway.listen() + path;
      const curl = async (...options: string[]) => {
        const child = Bun.spawn(['curl', '-sS', ...options, url], { stdout: 'pipe' });
        return Buffer.from(await new Response(child.stdout).arrayBuffer());
      };
      expect((await curl()).equals(bytes)).toBe(true);
      expect((await curl('-r', '10-19')).equals(bytes.subarray(10, 20))).toBe(true);
      const head = (await curl('-I')).toString().toLowerCase();
      expect(head).toContain(`content-length: ${bytes.length}\r\n`);
      expect(head).toContain('content-type: image/png\r\n');
      const ranged = (await curl('-r', '-5', '-D', '-', '-o', '/dev/null')).toString();
      expect(ranged.split(' ')[1]).toBe('206');
      expect(ranged.toLowerCase()).toContain('content-length: 5\r\n');
    });

    test('an unknown image gets 404', async () => {
      const others = [
        `/images/${'0'.repeat(48)}.png`,
        path.replace('.png', '.jpg'),
        path.toUpperCase(),
        `${path}x`,
        '/images/',
        '/images/..%2f..%2fzastava.sqlite',
        '/images/%00',
      ];
      for (const at of others) {
        expect([at, (await get({}, 'GET', at)).status]).toEqual([at, 404]);
      }
    });

    test('an image gets 404 after its room is deleted, and its bytes are gone', async () => {
      const room = await world.gateway.room(alice.token);
      const at = await draw({ room_id: room });
      const id = at.slice('/images/'.length);
      expect((await get({}, 'GET', at)).status).toBe(200);
      await world.gateway.data<object>('/ai/room/delete/', { room_id: room }, alice);
      expect((await get({}, 'GET', at)).status).toBe(404);
      expect(await world.gateway.core.images.read(id)).toBeUndefined();
      expect(double.objects.has(`pictures/images/${id}`)).toBe(false);
      // The other images are still there.
      expect((await bytesOf(await get())).equals(bytes)).toBe(true);
    });

    if (s3) {
      test('the bytes are in the bucket, with their type; a range reads only that range', async () => {
        const object = double.objects.get(`pictures${path}`);
        expect(object?.type).toBe('image/png');
        expect(Buffer.from(object?.bytes ?? []).equals(bytes)).toBe(true);
        await get({ range: 'bytes=2-5' });
        expect(double.requests.at(-1)).toBe(`GET pictures${path} bytes=2-5`);
      });

      test('a store that fails voids the send, sends Retry-After and logs the reason', async () => {
        const { balance } = await alice.funds();
        const errors = () => {
          const lines = logged.splice(0).filter(({ level }) => Number(level) >= ERROR_LEVEL);
          return lines.map(({ msg, err }) => [msg, (err as Error).message]);
        };
        const advice = expect.stringContaining('ZASTAVA_IMAGES_S3_') as string;
        for (const status of [500, 403]) {
          double.failWith(status);
          const answer = await alice.trySend({ ai: 2 });
          const { body } = answer;
          expect([answer.status, body.error?.code]).toEqual([503, 'overloaded']);
          expect(body.error?.message).toContain('nothing was charged');
          expect(answer.headers.get('retry-after')).toBe('5');
          expect(answer.headers.get('x-should-retry')).toBe('false');
          expect(errors()).toEqual([['an image could not be stored', advice]]);
          expect(await alice.funds()).toMatchObject({ balance, held: 0 });

          const read = await get();
          expect([read.status, read.headers.get('retry-after')]).toEqual([503, '5']);
          expect(await read.json()).toMatchObject({ error: { code: 'overloaded' } });
          expect(errors()).toEqual([['an image could not be read', advice]]);
          // Headers that need no bytes are sent all the same.
          expect((await get({}, 'HEAD')).status).toBe(200);
          double.failWith(200);
        }
        expect((await bytesOf(await get())).equals(bytes)).toBe(true);
      });
    }
  });
}
