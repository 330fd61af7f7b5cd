/** The rights of a credential: scopes of API keys, initial passwords. */
import { describe, expect, test } from 'bun:test';
import { covers, keyScopes, type KeyScope, type Right } from '../../src/users/index.ts';
import { dialects } from '../support/databases.ts';
import { codeOf, openWorld, PASSWORD, refusalOf } from './world.ts';

const rights: readonly Right[] = [
  'password',
  'chat',
  'trust',
  'account',
  'credit',
  'operator',
  'admin',
];
const own = ['password', 'chat', 'trust', 'account'] as const;
const expected: Record<KeyScope, readonly Right[]> = {
  chat: ['chat'],
  trust: ['trust'],
  credit: ['credit'],
  full: own,
  operator: [...own, 'credit', 'operator'],
  admin: rights,
};

test('a scope includes itself and all lesser scopes', () => {
  const covered = keyScopes.map((scope) => keyScopes.filter((other) => covers(scope, other)));
  expect(covered).toEqual([
    ['chat'],
    ['trust'],
    ['credit'],
    ['chat', 'trust', 'full'],
    ['chat', 'trust', 'credit', 'full', 'operator'],
    [...keyScopes],
  ]);
});

for (const dialect of dialects) {
  describe(`${dialect}: rights`, () => {
    test('of a key are those of its scope, cached or not; a token has all of them', async () => {
      await using world = await openWorld(dialect);
      const input = { login: 'root', password: PASSWORD, role: 'admin' } as const;
      const admin = await world.users.add(input, () => Promise.resolve());
      const permitted = async (credential: string) => {
        const found: Right[] = [];
        for (const right of [...rights, ...rights]) {
          const code = await world.auth.authenticate(credential, right).then(
            () => 'ok',
            (error) => error.code,
          );
          if (code === 'ok') found.push(right);
          else expect(code).toBe('forbidden');
        }
        expect(found.slice(found.length / 2)).toEqual(found.slice(0, found.length / 2));
        return found.slice(found.length / 2);
      };
      for (const scope of keyScopes) {
        const made = await world.keys.create(admin.id, { name: scope, scope });
        expect(made.scope).toBe(scope);
        expect(await permitted(made.key)).toEqual([...expected[scope]]);
      }
      const { key } = await world.keys.create(admin.id, { name: 'usual' });
      expect(await permitted(key)).toEqual([...expected.admin]);
      expect(await permitted((await world.login('root')).token)).toEqual([...rights]);
      const listed = await world.keys.list(admin.id);
      expect(Object.fromEntries(listed.map(({ name, scope }) => [name, scope]))).toEqual({
        admin: 'admin',
        chat: 'chat',
        credit: 'credit',
        full: 'full',
        operator: 'operator',
        trust: 'trust',
        usual: 'admin',
      });
    });

    test("of an admin are in no other user's key", async () => {
      await using world = await openWorld(dialect);
      const userId = await world.addPlain('alice');
      for (const scope of ['credit', 'operator', 'admin'] as const) {
        const refusal = await refusalOf(world.keys.create(userId, { name: 'x', scope }));
        expect(refusal).toMatchObject({ code: 'invalid_request', details: [{ path: 'scope' }] });
      }
      expect(await world.keys.list(userId)).toEqual([]);
    });

    test('with an initial password are to change it, once, to another one', async () => {
      await using world = await openWorld(dialect);
      const input = { login: 'alice', password: PASSWORD, mustChangePassword: true };
      const user = await world.users.add(input, () => Promise.resolve());
      expect(user.mustChangePassword).toBe(true);
      const { key } = await world.keys.create(user.id, { name: 'by the operator' });
      const { token, user: loggedIn } = await world.login('alice');
      expect(loggedIn.mustChangePassword).toBe(true);
      for (const right of ['chat', 'account', 'admin'] as const) {
        const refusal = await refusalOf(world.auth.authenticate(token, right));
        expect(refusal.code).toBe('forbidden');
        expect(refusal.message).toContain('/account/password/');
      }
      // The creator of the key knew its purpose.
      await world.auth.authenticate(key, 'account');
      const caller = await world.auth.authenticate(token, 'password');
      const change = (current: string, next: string) =>
        world.auth.changePassword(caller, { current, next, address: '192.0.2.1' });
      const same = await refusalOf(change(PASSWORD, PASSWORD));
      expect(same).toMatchObject({ code: 'invalid_request', details: [{ path: 'new_password' }] });
      await change(PASSWORD, 'a password of my own');
      expect(await codeOf(world.auth.authenticate(token, 'password'))).toBe('token_revoked');
      const next = await world.login('alice', 'a password of my own');
      expect((await world.auth.authenticate(next.token, 'account')).userId).toBe(user.id);
      expect((await world.users.get(user.id)).mustChangePassword).toBe(false);

      await world.users.setPassword(user.id, PASSWORD, { mustChange: true });
      const again = await world.login('alice');
      expect(await codeOf(world.auth.authenticate(again.token, 'account'))).toBe('forbidden');
      await world.users.setPassword(user.id, PASSWORD);
      const free = await world.login('alice');
      await world.auth.authenticate(free.token, 'account');
    });
  });
}
