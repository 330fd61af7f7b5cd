/** The common rules of all JSON operations: methods, paths, envelopes and headers. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { allEvents } from '../support/event-stream.ts';
import { sharedWorld } from '../support/world.ts';

/** Every operation that clients of the specification call. */
const operations = [
  '/auth/login/',
  '/auth/refresh/',
  '/auth/logout/',
  '/ai/room/',
  '/ai/settings/',
  '/ai/send/',
  '/ai/history/',
  '/ai/rooms/',
  '/ai/room/delete/',
  '/ai/estimate/',
];
const otherMethods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

for (const dialect of dialects) {
  describe(`${dialect}: the JSON interface`, () => {
    const world = sharedWorld(dialect);

    for (const path of operations) {
      test(`${path} takes POST only, with or without the trailing slash`, async () => {
        const { gateway } = world();
        for (const spelled of [path, path.slice(0, -1)]) {
          for (const method of otherMethods) {
            const response = await gateway.fetch(spelled, { method });
            expect([spelled, method, response.status]).toEqual([spelled, method, 405]);
            expect(response.headers.get('allow')).toBe('POST');
            if (method === 'HEAD') continue;
            expect(await response.json()).toMatchObject({
              status: 'error',
              error: { code: 'method_not_allowed' },
            });
          }
          const answer = await gateway.post(spelled, {});
          const expected =
            path === '/auth/login/' ? [422, 'invalid_request'] : [401, 'unauthenticated'];
          expect([answer.status, answer.body.error?.code]).toEqual(expected as [number, string]);
        }
      });
    }

    test("HEAD has the length of GET's answer", async () => {
      const origin = world().gateway.listen();
      for (const path of [
        '/healthz',
        '/openapi.json',
        '/docs',
        '/docs/start.js',
        '/ai/room/',
        '/x',
      ]) {
        const got = await fetch(origin + path);
        const length = (await got.bytes()).length;
        const head = await fetch(origin + path, { method: 'HEAD' });
        const announced = Number(head.headers.get('content-length'));
        expect([path, head.status, announced]).toEqual([path, got.status, length]);
        expect((await head.bytes()).length).toBe(0);
      }
    });

    test('a success is 200 with status and data, and nothing else', async () => {
      const { gateway, user } = world();
      const { token } = await user();
      const { status, body, headers } = await gateway.post('/ai/room', {}, { token });
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['status', 'data']);
      expect(body.status).toBe('ok');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    });

    test('an error has its status, code, message and request id', async () => {
      const { gateway } = world();
      const { status, body, headers } = await gateway.post('/ai/send/', {});
      expect(status).toBe(401);
      expect(Object.keys(body)).toEqual(['status', 'error', 'request_id']);
      expect(body.status).toBe('error');
      expect(body.error?.message).not.toBe('');
      expect(body.request_id).toBe(headers.get('x-request-id') ?? 'none');
      expect(body.error).not.toHaveProperty('details');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    });

    test('a valid request id of the caller is returned, any other is replaced', async () => {
      const { gateway } = world();
      const send = async (id: string) => {
        const answer = await gateway.post('/ai/send/', {}, { headers: { 'x-request-id': id } });
        expect(answer.body.request_id).toBe(answer.headers.get('x-request-id') ?? 'none');
        return answer.body.request_id ?? '';
      };
      for (const sane of ['1', 'a.b-c_D9', 'x'.repeat(128)]) expect(await send(sane)).toBe(sane);
      for (const odd of ['', 'x'.repeat(129), 'two words', '<b>', 'a"b', 'ü']) {
        expect(await send(odd)).toMatch(/^[0-9a-f]{32}$/);
      }
      expect(await send('')).not.toBe(await send(''));
    });

    test('every answer has a request id: a success, a stream, an image and a 404', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const image = new URL((await alice.send({ ai: 2 })).response).pathname;
      const answers = [
        await alice.stream(),
        await gateway.fetch(image),
        await gateway.fetch(image, { headers: { range: 'bytes=9999999-' } }),
        await gateway.fetch('/nowhere'),
        await gateway.fetch('/healthz'),
        await gateway.fetch('/readyz'),
        await gateway.fetch('/openapi.json'),
      ];
      for (const response of answers) {
        expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        await response.arrayBuffer();
      }
      const mine = await gateway.post(
        '/ai/room/',
        {},
        { ...alice, headers: { 'x-request-id': 'me' } },
      );
      expect(mine.headers.get('x-request-id')).toBe('me');
    });

    test('a valid W3C traceparent is passed on to the provider, an invalid one is not', async () => {
      const { provider, user } = world();
      const alice = await user();
      const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      await alice.send({}, { headers: { traceparent: good } });
      expect(provider.calls.at(-1)?.headers['traceparent']).toBe(good);
      await allEvents(await alice.stream({}, { headers: { traceparent: good } }));
      expect(provider.calls.at(-1)?.headers['traceparent']).toBe(good);
      await alice.send({ ai: 103 }, { headers: { traceparent: good } });
      expect(provider.calls.at(-1)?.headers['traceparent']).toBe(good);
      const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
      for (const bad of [
        'x'.repeat(55),
        `00-${'0'.repeat(32)}-${parent}-01`,
        `00-${trace}-${'0'.repeat(16)}-01`,
        `ff-${trace}-${parent}-01`,
        `00-${trace}-${parent}-01-more`,
      ]) {
        await alice.send({}, { headers: { traceparent: bad } });
        expect(provider.calls.at(-1)?.headers).not.toHaveProperty('traceparent');
      }
      const zeros = `00-${'0'.repeat(31)}1-${'0'.repeat(15)}1-00`;
      await alice.send({}, { headers: { traceparent: zeros } });
      expect(provider.calls.at(-1)?.headers['traceparent']).toBe(zeros);
    });

    test('an unknown path is not_found', async () => {
      const { gateway } = world();
      for (const path of [
        '/nothing',
        '/ai/',
        '/ai/nothing/',
        '/ai/send//',
        '/AI/SEND/',
        '/ai/send/1',
      ]) {
        const { status, body } = await gateway.post(path, {});
        expect([path, status, body.error?.code]).toEqual([path, 404, 'not_found']);
      }
    });

    test('while draining, /readyz fails and /healthz does not', async () => {
      const { gateway, user } = world();
      const alice = await user();
      expect((await gateway.fetch('/readyz')).status).toBe(200);
      expect((await gateway.fetch('/healthz')).status).toBe(200);
      expect((await gateway.fetch('/metrics')).status).toBe(200);
      expect((await alice.send()).response).toBe('echo: Hello');
    });
  });
}
