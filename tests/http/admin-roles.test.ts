/** What operators may do, and what only admins may. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway, PASSWORD, type Gateway, type TestUser } from '../support/gateway.ts';
import { readDocument } from '../support/openapi.ts';

interface Key {
  key: string;
  scope: string;
}

async function openWithOperator(dialect: (typeof dialects)[number]) {
  const gateway = await openGateway(dialect);
  const admin = await gateway.addUser({ login: 'root', isAdmin: true });
  const operator = await gateway.addUser({ login: 'olga', isOperator: true });
  const user = await gateway.addUser({ login: 'alice', credit: 10 });
  return { gateway, admin, operator, user, [Symbol.asyncDispose]: gateway[Symbol.asyncDispose] };
}

const keyOf = async (gateway: Gateway, { token }: TestUser, scope?: string) => {
  const made = await gateway.data<Key>('/account/keys/', { name: 'x', scope }, { token });
  return { token: made.key, scope: made.scope };
};

/** Changes and the export of a user, each with a body that is valid for a user who is not an admin. */
const changesOf = (login: string, keyId: string): [path: string, body: object][] => [
  ['/admin/users/credit/', { login, amount: '1', reason: 'x' }],
  ['/admin/users/refund/', { login, message_id: 1, reason: 'x' }],
  ['/admin/users/limit/', { login, limit: '1' }],
  ['/admin/users/quota/', { login, requests_per_minute: 60 }],
  ['/admin/users/password/', { login, password: PASSWORD }],
  ['/admin/keys/create/', { login, name: 'x' }],
  ['/admin/keys/limit/', { id: keyId, rubles_total: 1 }],
  ['/admin/keys/rotate/', { id: keyId }],
  ['/admin/keys/revoke/', { id: keyId }],
  ['/admin/users/role/', { login, role: 'operator' }],
  ['/admin/users/role/', { login, role: 'user' }],
  ['/admin/users/block/', { login }],
  ['/admin/users/unblock/', { login }],
  ['/admin/users/export/', { login }],
  ['/admin/users/erase/', { login }],
];

for (const dialect of dialects) {
  describe(`${dialect}: an operator`, () => {
    test('opens the operations of operators, but not those of admins', async () => {
      await using world = await openWithOperator(dialect);
      const { gateway, operator, user } = world;
      const document = await readDocument(await gateway.fetch('/openapi.json'));
      const paths = Object.keys(document.paths).filter((path) => path.startsWith('/admin/'));
      for (const path of paths) {
        const isAdmins = /^\/admin\/(audit|catalogue\/(?!versions)|trust)/.test(path);
        // A body of the wrong type: a caller with the right gets that error.
        const { status } = await gateway.post(path, [], operator);
        expect([path, status]).toEqual([path, isAdmins ? 403 : 422]);
        expect((await gateway.post(path, [], user)).status).toBe(403);
      }
      const account = await gateway.data<object>('/account/', {}, operator);
      expect(account).toMatchObject({ is_admin: false, role: 'operator' });
      const list = await gateway.data<{ users: object[] }>(
        '/admin/users/',
        { role: 'operator' },
        operator,
      );
      expect(list).toMatchObject({ total: 1, users: [{ login: 'olga', role: 'operator' }] });
    });

    test('changes users, but neither admins nor their rights', async () => {
      await using world = await openWithOperator(dialect);
      const { gateway, admin, operator, user } = world;
      const { keys, users } = gateway.core;
      const theirs = await keys.create(admin.userId, { name: 'x' });
      for (const [path, body] of changesOf('root', theirs.id)) {
        expect([path, await gateway.code(path, body, operator)]).toEqual([path, 'forbidden']);
      }
      expect(await users.get(admin.userId)).toMatchObject({ login: 'root', role: 'admin' });
      const climbs: [string, object][] = [
        ['/admin/users/role/', { login: 'alice', role: 'admin' }],
        ['/admin/users/role/', { login: 'olga', role: 'admin' }],
        ['/admin/users/add/', { login: 'eve', role: 'admin' }],
        ['/admin/users/add/', { login: 'eve', is_admin: true }],
      ];
      for (const [path, body] of climbs) {
        expect([path, await gateway.code(path, body, operator)]).toEqual([path, 'forbidden']);
      }
      const contradiction = { login: 'eve', role: 'user', is_admin: true };
      expect(await gateway.code('/admin/users/add/', contradiction, admin)).toBe('invalid_request');
      await gateway.data<object>('/admin/users/add/', { login: 'eve', role: 'operator' }, operator);
      const own = await keys.create(user.userId, { name: 'x' });
      const send = { room_id: await gateway.room(user.token), ai: 1, message: 'hello' };
      await gateway.data<object>('/ai/send/', send, user);
      for (const [path, body] of changesOf('alice', own.id)) {
        expect([path, (await gateway.post(path, body, operator)).status]).toEqual([path, 200]);
      }
    });

    test('gets the role from the next call on, and until it is removed', async () => {
      await using world = await openWithOperator(dialect);
      const { gateway, admin, user } = world;
      const set = (role: string) =>
        gateway.data<object>('/admin/users/role/', { login: 'alice', role }, admin);
      expect(await gateway.code('/admin/users/', {}, user)).toBe('forbidden');
      expect(await set('operator')).toEqual({ login: 'alice', role: 'operator' });
      await gateway.data<object>('/admin/users/', {}, user);
      const key = await keyOf(gateway, user);
      expect(key.scope).toBe('operator');
      await gateway.data<object>('/admin/users/', {}, key);
      await set('user');
      for (const credential of [user, key]) {
        expect(await gateway.code('/admin/users/', {}, credential)).toBe('forbidden');
      }
      await gateway.data<object>('/account/', {}, key);
      expect(await gateway.code('/admin/users/role/', { login: 'root', role: 'user' }, admin)).toBe(
        'forbidden',
      );
    });

    test('is also what an admin with a key of that scope is', async () => {
      await using world = await openWithOperator(dialect);
      const { gateway, admin } = world;
      const key = await keyOf(gateway, admin, 'operator');
      await gateway.data<object>('/admin/users/', {}, key);
      const second = { login: 'second', role: 'admin' };
      expect(await gateway.code('/admin/users/add/', second, key)).toBe('forbidden');
      const own = { login: 'root', name: 'x', scope: 'admin' };
      expect(await gateway.code('/admin/keys/create/', own, key)).toBe('forbidden');
      const wider = { name: 'x', scope: 'admin' };
      expect(await gateway.code('/account/keys/', wider, key)).toBe('invalid_request');
    });
  });

  describe(`${dialect}: a key for top-ups`, () => {
    test('only adds money, each time with an idempotency key, while its user is an operator', async () => {
      await using world = await openWithOperator(dialect);
      const { gateway, operator, user } = world;
      const { token } = await keyOf(gateway, operator, 'credit');
      const credit = (amount: string, payment?: string) =>
        gateway.post(
          '/admin/users/credit/',
          { login: 'alice', amount, reason: 'payment' },
          { token, headers: payment === undefined ? {} : { 'idempotency-key': payment } },
        );
      const refused = async (answer: ReturnType<typeof credit>) =>
        (await answer).body.error?.details?.[0]?.path;
      expect(await refused(credit('5'))).toBe('Idempotency-Key');
      expect(await refused(credit('-5', 'a'))).toBe('amount');
      for (let times = 0; times < 2; times++) {
        expect((await credit('5', 'b')).body.data).toMatchObject({ balance: 15 });
      }
      await gateway.core.users.setRole(operator.userId, 'user', 'admin');
      expect((await credit('5', 'c')).status).toBe(403);
      expect(await gateway.data<object>('/account/', {}, user)).toMatchObject({ balance: 15 });
    });
  });
}
