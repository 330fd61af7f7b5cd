/** Requests from other sites and forged proxy headers can read or change nothing. */
import { describe, expect, test } from 'bun:test';
import { startingHandler } from '../../src/http/index.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { sharedWorld } from '../support/world.ts';

const ORIGIN = 'https://chat.example.org';
const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'POST' },
});

for (const dialect of dialects) {
  describe(`${dialect}: a browser`, () => {
    const world = sharedWorld(dialect);

    test('may call from a listed origin without cookies, and from no other', async () => {
      await using gateway = await openGateway(dialect, { env: { ZASTAVA_CORS_ORIGINS: ORIGIN } });
      const near = [`${ORIGIN}.evil.test`, 'http://chat.example.org', 'https://evil.test', 'null'];
      for (const origin of [ORIGIN, ...near]) {
        const preflighted = await gateway.fetch('/ai/send/', preflight(origin));
        const received = await gateway.post('/ai/send/', {}, { headers: { origin } });
        for (const headers of [preflighted.headers, received.headers]) {
          const allowed = headers.get('access-control-allow-origin');
          expect([origin, allowed]).toEqual([origin, origin === ORIGIN ? ORIGIN : null]);
          expect(headers.get('access-control-allow-credentials')).toBeNull();
        }
      }
    });

    test('gets an answer to a preflight; other OPTIONS requests get what other methods get', async () => {
      await using gateway = await openGateway(dialect, { env: { ZASTAVA_CORS_ORIGINS: ORIGIN } });
      for (const headers of [{}, { origin: ORIGIN }]) {
        const answer = await gateway.fetch('/ai/send/', { method: 'OPTIONS', headers });
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      }
      expect((await gateway.fetch('/ai/send/', preflight(ORIGIN))).status).toBe(204);
    });

    test('can read from a listed origin that the server is stopping or starting', async () => {
      await using gateway = await openGateway(dialect, { env: { ZASTAVA_CORS_ORIGINS: ORIGIN } });
      await gateway.app.stop(0);
      const starting = startingHandler('utf-8', [ORIGIN]);
      const answerers: [string, (request: Request) => Promise<Response> | Response][] = [
        ['stopping', (request) => gateway.app.fetch(request)],
        ['starting', (request) => starting(request)],
      ];
      for (const [state, answer] of answerers) {
        for (const path of ['/ai/send/', '/v1/chat/completions']) {
          const url = `http://gateway.test${path}`;
          const preflighted = await answer(new Request(url, preflight(ORIGIN)));
          const received = await answer(
            new Request(url, { method: 'POST', headers: { origin: ORIGIN } }),
          );
          expect([state, path, preflighted.status, received.status]).toEqual([
            state,
            path,
            204,
            503,
          ]);
          for (const { headers } of [preflighted, received]) {
            expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
          }
          expect(received.headers.get('access-control-expose-headers')).toContain('retry-after');
          expect(received.headers.get('retry-after')).toBe('1');
          expect(JSON.stringify(await received.json())).toContain(state);
          const head = { method: 'HEAD', headers: { origin: ORIGIN } };
          expect((await (await answer(new Request(url, head))).text()).length).toBeGreaterThan(0);
          const elsewhere = { method: 'POST', headers: { origin: 'https://evil.test' } };
          const { headers } = await answer(new Request(url, elsewhere));
          expect(headers.get('access-control-allow-origin')).toBeNull();
        }
      }
    });

    test('sees no origin allowed if none is listed', async () => {
      const { gateway } = world();
      const { headers } = await gateway.post('/ai/send/', {}, { headers: { origin: ORIGIN } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      const preflighted = await gateway.fetch('/ai/send/', preflight(ORIGIN));
      expect(preflighted.headers.get('access-control-allow-origin')).toBeNull();
    });

    test('caches neither a success nor an error', async () => {
      const { gateway, user } = world();
      const { token } = await user();
      for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
        const answer = await gateway.post('/account/', {}, { headers });
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      }
    });

    test('caches no streamed answer either', async () => {
      const { gateway, user } = world();
      const [alice, admin] = [await user(), await user({ isAdmin: true })];
      const plain = (await gateway.post('/account/', {}, alice)).headers;
      const streamed: [path: string, body: object, token: string][] = [
        ['/ai/history/', { room_id: alice.room }, alice.token],
        ['/account/export/', {}, alice.token],
        ['/admin/users/export/', { login: alice.login }, admin.token],
      ];
      for (const [path, body, token] of streamed) {
        const { headers } = await gateway.post(path, body, { token });
        for (const name of ['content-type', 'cache-control']) {
          expect([path, headers.get(name)]).toEqual([path, plain.get(name)]);
        }
      }
    });

    test('caches no answer of the compatible interfaces, nor of the health check', async () => {
      const { gateway, user } = world();
      const { token } = await user();
      const model = 'scripted-text';
      const messages = [{ role: 'user', content: 'Hello' }];
      const answers = [
        await gateway.fetch('/v1/models', { headers: { authorization: `Bearer ${token}` } }),
        await gateway.fetch('/healthz'),
      ];
      for (const stream of [false, true]) {
        for (const path of ['/v1/chat/completions', '/v1/messages']) {
          const body = JSON.stringify({ model, messages, max_tokens: 9, stream });
          const headers = {
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
          };
          answers.push(await gateway.fetch(path, { method: 'POST', headers, body }));
        }
      }
      for (const { status, headers } of answers) {
        expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      }
    });

    test('runs only our scripts and styles on /docs, in no frame, and sends no referrer', async () => {
      const { headers } = await world().gateway.fetch('/docs');
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    });
  });

  describe(`${dialect}: a header that anyone can send`, () => {
    const world = sharedWorld(dialect);

    test('X-Forwarded-For allows no further guesses when no proxy is trusted', async () => {
      const { gateway, user } = world();
      const { login } = await user();
      const codes = new Set<string | undefined>();
      for (let i = 0; i < 11; i++) {
        const headers = { 'x-forwarded-for': `192.0.2.${i}` };
        const guess = { login, password: 'a wrong password' };
        codes.add((await gateway.post('/auth/login/', guess, { headers })).body.error?.code);
      }
      expect([...codes]).toEqual(['wrong_credentials', 'too_many_attempts']);
    });

    test.each([
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
      { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' },
      { 'x-forwarded-for': '' },
      { forwarded: 'for=203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
      { 'cf-connecting-ip': '203.0.113.9' },
      { 'true-client-ip': '203.0.113.9' },
      { 'x-client-ip': '127.0.0.1' },
      { 'x-forwarded-host': 'example.org' },
      { via: '1.1 proxy' },
    ])('%j: metrics are for an admin, also from an unlisted proxy', async (headers) => {
      const { gateway, user } = world();
      expect((await gateway.fetch('/metrics', { headers })).status).toBe(401);
      for (const [isAdmin, status] of [
        [false, 403],
        [true, 200],
      ] as const) {
        const authorization = `Bearer ${(await user({ isAdmin })).token}`;
        const received = await gateway.fetch('/metrics', {
          headers: { ...headers, authorization },
        });
        expect(received.status).toBe(status);
      }
    });

    test('without one, metrics are open to this machine', async () => {
      expect((await world().gateway.fetch('/metrics')).status).toBe(200);
    });
  });
}
