/** What admins do with users, their money and their API keys. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway, PASSWORD, type Gateway } from '../support/gateway.ts';

const paths = [
  ...[
    '',
    'add/',
    'show/',
    'credit/',
    'limit/',
    'quota/',
    'password/',
    'block/',
    'unblock/',
    'erase/',
    'role/',
    'transactions/',
    'usage/',
  ].map((name) => `/admin/users/${name}`),
  '/admin/users/export/',
  '/admin/keys/',
  '/admin/keys/create/',
  '/admin/keys/limit/',
  '/admin/keys/rotate/',
  '/admin/keys/revoke/',
  '/admin/invitations/',
  '/admin/invitations/create/',
  '/admin/invitations/show/',
  '/admin/invitations/revoke/',
  '/admin/vouchers/',
  '/admin/vouchers/create/',
  '/admin/vouchers/show/',
  '/admin/vouchers/revoke/',
  '/admin/catalogue/',
  '/admin/catalogue/apply/',
  '/admin/catalogue/import/',
  '/admin/catalogue/price/',
  '/admin/catalogue/yaml/',
  '/admin/catalogue/versions/',
  '/admin/status/',
  '/admin/usage/',
  '/admin/report/',
  '/admin/ledger/verify/',
  '/admin/attempts/',
];

interface User {
  id: number;
  login: string;
  is_blocked: boolean;
  balance: number;
}

interface Added {
  user: User;
  password: string | null;
}

async function openWithAdmin(dialect: (typeof dialects)[number]) {
  const gateway = await openGateway(dialect);
  const admin = await gateway.addUser({ login: 'root', isAdmin: true });
  return { gateway, admin, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

const show = (gateway: Gateway, login: string, admin: { token: string }) =>
  gateway.data<User>('/admin/users/show/', { login }, admin);

for (const dialect of dialects) {
  describe(`${dialect}: admin`, () => {
    test('operations are for current admins only, checked in the database each time', async () => {
      await using world = await openWithAdmin(dialect);
      const { gateway, admin } = world;
      const { token } = await gateway.addUser();
      const other = await gateway.addUser({ isAdmin: true });
      const { key } = await gateway.core.keys.create(other.userId, {
        name: 'automation',
        scope: 'admin',
      });
      await gateway.data<object>('/admin/users/', {}, { token: key });
      for (const path of paths) {
        const stranger = await gateway.post(path, {});
        expect([stranger.status, stranger.body.error?.code]).toEqual([401, 'unauthenticated']);
        const user = await gateway.post(path, { login: 'root' }, { token });
        expect([user.status, user.body.error?.code]).toEqual([403, 'forbidden']);
      }
      await gateway.core.db.transaction((tx) =>
        tx.query('UPDATE users SET is_admin = 0 WHERE id = $1', [other.userId]),
      );
      for (const credential of [key, other.token]) {
        const body = { token: credential };
        expect(await gateway.code('/admin/users/', {}, body)).toBe('forbidden');
      }
      await gateway.data<object>('/admin/users/', {}, admin);
    });

    test('adds a user with a given password, rights, credit and allowance', async () => {
      await using world = await openWithAdmin(dialect);
      const { gateway, admin } = world;
      const body = {
        login: 'Пётр',
        password: 'длинный пароль',
        is_admin: true,
        credit: '0.1',
        trust_allowance: 5,
      };
      const { user, password } = await gateway.data<Added>('/admin/users/add/', body, admin);
      expect(password).toBeNull();
      expect(user).toMatchObject({
        login: 'Пётр',
        is_admin: true,
        is_blocked: false,
        balance: 0.1,
        held: 0,
        available: 0.1,
        credit_limit: 0,
        trust_allowance: 5,
        erased_at: null,
      });
      const token = await gateway.login('ПЁТР', 'длинный пароль');
      const { transactions } = await gateway.data<{ transactions: object[] }>(
        '/account/transactions/',
        {},
        { token },
      );
      expect(transactions).toMatchObject([
        { kind: 'top_up', amount: 0.1, reason: 'opening top-up', made_by: 'root' },
      ]);
      expect(await show(gateway, 'пётр', admin)).toEqual(user);
    });

    test('adds a user with a generated password, shown once', async () => {
      await using world = await openWithAdmin(dialect);
      const { gateway, admin } = world;
      const { user, password } = await gateway.data<Added>(
        '/admin/users/add/',
        { login: 'plain' },
        admin,
      );
      expect(user).toMatchObject({ is_admin: false, balance: 0, trust_allowance: null });
      expect(password).toHaveLength(20);
      const token = await gateway.login('plain', password ?? '');
      expect(await gateway.code('/admin/users/', {}, { token })).toBe('forbidden');
      expect(JSON.stringify(await show(gateway, 'plain', admin))).not.toContain(password ?? '');
    });

    test('refuses an invalid user', async () => {
      await using world = await openWithAdmin(dialect);
      const { gateway, admin } = world;
      const bad: [object, string][] = [
        [{}, 'login'],
        [{ login: 'a b' }, 'login'],
        [{ login: 'ROOT' }, 'login'],
        [{ login: 'a', password: 'short' }, 'password'],
        [{ login: 'a', credit: -1 }, 'credit'],
        [{ login: 'a', credit: 0.0000001 }, 'credit'],
        [{ login: 'a', credit: 8_000_000_001 }, 'credit'],
        [{ login: 'a', trust_allowance: -1 }, 'trust_allowance'],
        [{ login: 'a', trust_allowance: 1.5 }, 'trust_allowance'],
        [{ login: 'a', is_admin: 'yes' }, 'is_admin'],
      ];
      for (const [body, path] of bad) {
        const { status, body: answer } = await gateway.post('/admin/users/add/', body, admin);
        expect([status, answer.error?.details?.[0]?.path]).toEqual([422, path]);
      }
      expect(await gateway.code('/admin/users/show/', { login: 'a' }, admin)).toBe('not_found');
    });

    test('lists users with balances, in pages', async () => {
      await using world = await openWithAdmin(dialect);
      const { gateway, admin } = world;
      const ids = [admin.userId];
      for (let i = 1; i <= 4; i++) ids.push((await gateway.addUser({ credit: i })).userId);
      const list = async (body: object) =>
        (await gateway.data<{ users: User[] }>('/admin/users/', body, admin)).users;
      const all = await list({});
      expect(all.map(({ id, balance }) => [id, balance])).toEqual(ids.map((id, i) => [id, i]));
      const first = await list({ limit: 3 });
      const rest = await list({ limit: 3, after: first.at(-1)?.id });
      expect([...first, ...rest]).toEqual(all);
      expect(await list({ after: ids.at(-1) })).toEqual([]);
      expect(await gateway.code('/admin/users/', { limit: 1001 }, admin)).toBe('invalid_request');
    });

    test('sets passwords, which ends the tokens', async () => {
      await using world = await openWithAdmin(dialect);
      const { gateway, admin } = world;
      const { login, token } = await gateway.addUser();
      const body = { login, password: 'by the admin' };
      expect(await gateway.data<object>('/admin/users/password/', body, admin)).toEqual({
        login,
        changed: true,
      });
      expect(await gateway.code('/account/', {}, { token })).toBe('token_revoked');
      await gateway.login(login, 'by the admin');
      const short = { login, password: 'short' };
      expect(await gateway.code('/admin/users/password/', short, admin)).toBe('invalid_request');
      const nobody = { login: 'nobody', password: 'by the admin' };
      expect(await gateway.code('/admin/users/password/', nobody, admin)).toBe('not_found');
    });

    test('blocks and unblocks, but never themselves', async () => {
      await using world = await openWithAdmin(dialect);
      const { gateway, admin } = world;
      const { login, token, userId } = await gateway.addUser();
      const { key } = await gateway.core.keys.create(userId, { name: 'k' });
      await gateway.data<object>('/account/', {}, { token: key });
      const blocked = await gateway.data<object>('/admin/users/block/', { login }, admin);
      expect(blocked).toEqual({ login, is_blocked: true });
      for (const credential of [token, key]) {
        const { status, body } = await gateway.post('/account/', {}, { token: credential });
        expect([status, body.error?.code]).toEqual([403, 'user_blocked']);
      }
      const attempt = { login, password: PASSWORD };
      expect(await gateway.code('/auth/login/', attempt)).toBe('user_blocked');
      expect((await show(gateway, login, admin)).is_blocked).toBe(true);
      await gateway.data<object>('/admin/users/unblock/', { login }, admin);
      expect(await gateway.code('/account/', {}, { token })).toBe('token_revoked');
      await gateway.data<object>('/account/', {}, { token: key });

      for (const path of ['/admin/users/block/', '/admin/users/erase/']) {
        const { status, body } = await gateway.post(path, { login: 'Root' }, admin);
        expect([status, body.error?.code]).toEqual([403, 'forbidden']);
        expect(body.error?.message).toContain('another admin');
        expect(await gateway.code(path, { login: 'nobody' }, admin)).toBe('not_found');
      }
      await gateway.data<object>('/account/', {}, admin);
    });

    test('two who block each other at once leave one admin', async () => {
      await using world = await openWithAdmin(dialect);
      const { gateway, admin } = world;
      const other = await gateway.addUser({ login: 'second', isAdmin: true });
      await Promise.all([
        gateway.post('/admin/users/block/', { login: 'second' }, admin),
        gateway.post('/admin/users/block/', { login: 'root' }, other),
      ]);
      const left = await Promise.all(
        [admin, other].map(({ userId }) => gateway.core.users.isAdmin(userId)),
      );
      expect(left.filter(Boolean)).toHaveLength(1);
    });

    test('make, list and revoke API keys of any user', async () => {
      await using world = await openWithAdmin(dialect);
      const { gateway, admin } = world;
      const { login } = await gateway.addUser();
      const expires = Math.floor(Date.now() / 1000) + 60;
      const made = await gateway.data<{ id: string; key: string }>(
        '/admin/keys/create/',
        { login, name: 'robot', expires_at: expires },
        admin,
      );
      const account = await gateway.data<object>('/account/', {}, { token: made.key });
      expect(account).toMatchObject({ login });
      const listed = await gateway.data<object>('/admin/keys/', { login }, admin);
      expect(listed).toMatchObject({
        login,
        keys: [{ id: made.id, name: 'robot', expires_at: expires, revoked_at: null }],
      });
      expect(JSON.stringify(listed)).not.toContain(made.key);
      await gateway.data<object>('/admin/keys/revoke/', { id: made.id }, admin);
      expect(await gateway.code('/account/', {}, { token: made.key })).toBe('token_revoked');
      const wrong: [string, object][] = [
        ['/admin/keys/', { login: 'nobody' }],
        ['/admin/keys/create/', { login: 'nobody', name: 'x' }],
        ['/admin/keys/revoke/', { id: '0000000000000000' }],
      ];
      for (const [path, body] of wrong) {
        expect(await gateway.code(path, body, admin)).toBe('not_found');
      }
      expect(await gateway.code('/admin/keys/create/', { login, name: '' }, admin)).toBe(
        'invalid_request',
      );
    });
  });
}
