/** AI Model Gateway API 2.0.0, "Authentication": a test for each of its points. `auth.test.ts` has the refresh. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { PASSWORD } from '../support/gateway.ts';
import { sharedWorld } from '../support/world.ts';

/** Every operation of the specification with a body that is valid except for the room. */
const operations: [path: string, body: object][] = [
  ['/ai/room/', {}],
  ['/ai/settings/', {}],
  ['/ai/send/', { ai: 101, message: 'Hi' }],
  ['/ai/history/', {}],
];

for (const dialect of dialects) {
  describe(`${dialect}: specification, authentication`, () => {
    const world = sharedWorld(dialect);

    test('1. login and password give token and expired_at', async () => {
      const { gateway, user } = world();
      const { login } = await user();
      const data = await gateway.data<object>('/auth/login/', { login, password: PASSWORD });
      expect(Object.keys(data)).toEqual(['token', 'expired_at']);
    });

    for (const [path, body] of operations) {
      test(`2. ${path} carries Authorization: Bearer <ACCESS_TOKEN>`, async () => {
        const { gateway, user } = world();
        const { login, room } = await user();
        const token = await gateway.login(login);
        const full = { room_id: room, ...body };
        await gateway.data<object>(path, full, { token });
        const refused: [headers: Record<string, string>, code: string][] = [
          [{}, 'unauthenticated'],
          [{ authorization: token }, 'unauthenticated'],
          [{ authorization: `Bearer ${token}x` }, 'invalid_token'],
        ];
        for (const [headers, code] of refused) {
          const answer = await gateway.post(path, full, { headers });
          expect([answer.status, answer.body.error?.code]).toEqual([401, code]);
          expect(answer.headers.get('www-authenticate')).toBe('Bearer');
          expect(answer.body).not.toHaveProperty('data');
        }
      });
    }

    test('3. login is the only operation that needs no token, besides the session of the web page and registration', async () => {
      const { gateway } = world();
      const document = (await (await gateway.fetch('/openapi.json')).json()) as {
        paths: Record<string, { post?: object }>;
      };
      const open: string[] = [];
      const paths = Object.keys(document.paths).filter((path) => document.paths[path]?.post);
      for (const path of paths) {
        const { status } = await gateway.fetch(path, { method: 'POST' });
        if (status !== 401) open.push(path);
      }
      expect(paths.length).toBeGreaterThan(20);
      const native = open.filter((path) => /^\/(auth|ai|account|admin|trust\/)/.test(path));
      const logins = [
        '/auth/login/',
        '/auth/register/',
        '/auth/register/show/',
        '/auth/session/',
        '/auth/session/show/',
      ];
      expect(native.toSorted()).toEqual(
        logins.flatMap((path) => [path.slice(0, -1), path]).toSorted(),
      );
    });
  });
}
