/** Which operations each credential opens: scopes of API keys, initial passwords. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import {
  GATEWAY_SECRET,
  openGateway,
  PASSWORD,
  type Envelope,
  type Gateway,
} from '../support/gateway.ts';
import { legacyCookie } from '../support/legacy-cookie.ts';
import { readDocument } from '../support/openapi.ts';

interface NewKey {
  id: string;
  key: string;
  scope: string;
}

const scopes = ['chat', 'trust', 'credit', 'full', 'operator', 'admin'] as const;
/** The operations that a key of each scope opens. */
const open: Record<(typeof scopes)[number], RegExp> = {
  chat: /^\/(ai|v1)\//,
  trust: /^\/(trust\/|account\/$|account\/usage\/$)/,
  credit: /^\/admin\/users\/credit\/$/,
  full: /^\/(ai|v1|account|trust)\//,
  operator: /^\/(ai|v1|account|trust)\/|^\/admin\/(?!audit|catalogue\/(?!versions)|trust)/,
  admin: /^\/(ai|v1|account|trust|admin)\//,
};
/** With a key, or with an incomplete body, these answer "forbidden" for other reasons. */
const sessions = [
  '/auth/refresh/',
  '/auth/logout/',
  '/auth/session/end/',
  '/auth/session/confirm/',
];
/** They need no credential. */
const logins = [
  '/auth/login/',
  '/auth/session/',
  '/auth/session/show/',
  '/auth/register/',
  '/auth/register/show/',
];

async function operationsOf(gateway: Gateway): Promise<[method: string, path: string][]> {
  const document = await readDocument(await gateway.fetch('/openapi.json'));
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), path]),
  );
}

/** The message of an answer that says "forbidden", whatever its dialect; otherwise undefined. */
async function refusalOf(gateway: Gateway, method: string, path: string, token: string) {
  const response = await gateway.fetch(path.replace('{model}', 'x'), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
  });
  const text = await response.text();
  if (response.status !== 403) return undefined;
  return (JSON.parse(text) as Envelope).error?.message;
}

for (const dialect of dialects) {
  describe(`${dialect}: an API key`, () => {
    test('opens only the operations of its scope', async () => {
      await using gateway = await openGateway(dialect);
      const { token } = await gateway.addUser({ isAdmin: true });
      const operations = await operationsOf(gateway);
      expect(operations.length).toBeGreaterThan(40);
      for (const scope of scopes) {
        const made = await gateway.data<NewKey>('/account/keys/', { name: 'x', scope }, { token });
        expect(made.scope).toBe(scope);
        for (const [method, path] of operations) {
          if (logins.includes(path) || sessions.includes(path)) continue;
          const refusal = await refusalOf(gateway, method, path, made.key);
          const expected = open[scope].test(path) ? 'open' : 'closed';
          expect([scope, path, refusal === undefined ? 'open' : 'closed']).toEqual([
            scope,
            path,
            expected,
          ]);
          if (refusal !== undefined) expect(refusal).toContain(`the scope ${scope}`);
        }
        for (const path of sessions) {
          const body = path === '/auth/session/confirm/' ? { password: PASSWORD } : {};
          expect(await gateway.code(path, body, { token: made.key })).toBe('forbidden');
        }
      }
    });

    test('of an admin opens the operations of its scope, or all without one; the log has refused attempts', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { login } = await gateway.addUser();
      const make = (body: object, token = admin.token) =>
        gateway.data<NewKey>('/account/keys/', { name: 'x', ...body }, { token });
      const plain = await make({ scope: 'full' });
      expect(await gateway.code('/admin/users/', {}, { token: plain.key })).toBe('forbidden');
      const far = { authorization: `Bearer ${plain.key}`, 'x-forwarded-for': '192.0.2.1' };
      expect((await gateway.fetch('/metrics', { headers: far })).status).toBe(403);
      const scoped = await make({});
      expect(scoped.scope).toBe('admin');
      await gateway.data<object>('/admin/users/', {}, { token: scoped.key });
      const withAdmin = { ...far, authorization: `Bearer ${scoped.key}` };
      expect((await gateway.fetch('/metrics', { headers: withAdmin })).status).toBe(200);
      const usual = { login, name: 'x' };
      const full = await gateway.data<NewKey>('/admin/keys/create/', usual, admin);
      expect(full.scope).toBe('full');
      const body = { ...usual, scope: 'admin' };
      expect(await gateway.code('/admin/keys/create/', body, admin)).toBe('invalid_request');
      const chat = { login, name: 'x', scope: 'chat' };
      const made = await gateway.data<NewKey>('/admin/keys/create/', chat, admin);
      expect(await gateway.code('/account/', {}, { token: made.key })).toBe('forbidden');
      await gateway.data<object>('/ai/settings/', {}, { token: made.key });
    });

    test('makes no key with more rights', async () => {
      await using gateway = await openGateway(dialect);
      const { token } = await gateway.addUser({ isAdmin: true });
      const make = (body: object, by: string) =>
        gateway.post('/account/keys/', { name: 'x', ...body }, { token: by });
      const keyOf = async (scope: string) =>
        (await gateway.data<NewKey>('/account/keys/', { name: 'x', scope }, { token })).key;
      const [chat, full, admin] = [await keyOf('chat'), await keyOf('full'), await keyOf('admin')];
      const made = [
        [chat, 'chat', 403],
        [full, 'chat', 200],
        [full, undefined, 200],
        [full, 'admin', 422],
        [admin, 'admin', 200],
      ] as const;
      for (const [by, scope, status] of made) {
        expect([scope, (await make({ scope }, by)).status]).toEqual([scope, status]);
      }
      expect((await make({ scope: 'root' }, token)).status).toBe(422);
      expect((await make({ name: undefined, scope: 'chat' }, token)).status).toBe(422);
    });
  });

  describe(`${dialect}: an initial password`, () => {
    test('opens only its own change and the logout', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const added = { login: 'ivan', password: PASSWORD, must_change_password: true };
      const { user } = await gateway.data<{ user: object }>('/admin/users/add/', added, admin);
      expect(user).toMatchObject({ must_change_password: true });
      const login = { login: 'ivan', password: PASSWORD };
      const { token, ...rest } = await gateway.data<{ token: string }>('/auth/login/', login);
      expect(rest).toMatchObject({ must_change_password: true });
      for (const [method, path] of await operationsOf(gateway)) {
        const isOpen = ['/auth/logout/', '/auth/session/end/', '/account/password/'].includes(path);
        if (isOpen || logins.includes(path)) continue;
        const refusal = await refusalOf(gateway, method, path, token);
        expect([path, refusal]).toEqual([path, expect.stringContaining('/account/password/')]);
      }
      const form = new URLSearchParams({ login: 'ivan', pass: PASSWORD, auto: '' });
      const older = await gateway.fetch('/login.php', { method: 'POST', body: form });
      expect([older.status, await older.text(), older.headers.getSetCookie()]).toEqual([
        200,
        'no',
        [],
      ]);
      const trust = await gateway.fetch('/trast.php?url=a.ru&tp=3&h=0', {
        headers: legacyCookie(token, GATEWAY_SECRET),
      });
      expect([trust.status, await trust.text()]).toEqual([
        401,
        expect.stringMatching(/^error\|auth\|/),
      ]);

      const change = { current_password: PASSWORD, new_password: 'a password of my own' };
      await gateway.data<object>('/account/password/', change, { token });
      const again = { login: 'ivan', password: change.new_password };
      const free = await gateway.data<{ token: string }>('/auth/login/', again);
      expect(free).not.toHaveProperty('must_change_password');
      await gateway.data<object>('/account/', {}, free);

      const reset = { login: 'ivan', password: PASSWORD, must_change_password: true };
      await gateway.data<object>('/admin/users/password/', reset, admin);
      const last = await gateway.data<{ token: string }>('/auth/login/', login);
      expect(await gateway.code('/account/', {}, last)).toBe('forbidden');
      await gateway.data<object>('/auth/logout/', {}, last);
      expect(await gateway.code('/auth/logout/', {}, last)).toBe('token_revoked');
    });
  });
}
