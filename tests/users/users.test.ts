import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { DomainError } from '../../src/lib/errors.ts';
import { foldLogin } from '../../src/users/login-name.ts';
import { dialects } from '../support/databases.ts';
import { ADDRESS, codeOf, openWorld, PASSWORD, refusalOf, START_MS } from './world.ts';

const nothing = () => Promise.resolve();

/** All users by id. A test adds only a few. */
const everyone = async ({ users }: Awaited<ReturnType<typeof openWorld>>) => [
  ...(await users.many(Array.from({ length: 100 }, (_, index) => index + 1))).values(),
];

for (const dialect of dialects) {
  describe(`${dialect}: users`, () => {
    test('a user is added, found in any case, listed and counted', async () => {
      await using world = await openWorld(dialect);
      expect((await everyone(world)).length).toBe(0);
      const user = await world.users.add(
        { login: 'Пётр.Ёлкин', password: PASSWORD, role: 'admin', trustAllowance: 5 },
        nothing,
      );
      expect(user).toEqual({
        id: 1,
        login: 'Пётр.Ёлкин',
        role: 'admin',
        isBlocked: false,
        trustAllowance: 5,
        mustChangePassword: false,
        createdAt: START_MS,
        erasedAt: null,
      });
      const second = await world.add('second@example.org');
      expect(await world.users.find('пЁТР.ёЛКИН')).toEqual(user);
      expect(await world.users.find('Пётр.Ёлкин'.normalize('NFD'))).toEqual(user);
      expect(await world.users.get(user.id)).toEqual(user);
      expect(await everyone(world)).toEqual([user, second]);
    });

    test('a login is unique whatever its case', async () => {
      await using world = await openWorld(dialect);
      const pairs = [
        ['alice', 'ALICE'],
        ['Маша', 'мАША'],
        ['straße', 'STRASSE'],
        ['ΟΔΟΣ', 'οδος'],
        ['jos\u00e9', 'JOSE\u0301'],
      ];
      for (const [first = '', second = ''] of pairs) {
        await world.add(first);
        const error = await refusalOf(world.add(second));
        expect([error.code, error.details[0]?.path]).toEqual(['invalid_request', 'login']);
      }
      expect((await everyone(world)).length).toBe(pairs.length);
    });

    test('of several concurrent requests for one login one succeeds', async () => {
      await using world = await openWorld(dialect);
      const results = await Promise.allSettled(
        ['Саша', 'саша', 'САША', 'сАША'].map((login) => world.add(login)),
      );
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      expect((await everyone(world)).length).toBe(1);
    });

    test('work in the transaction of the creation fails with it', async () => {
      await using world = await openWorld(dialect);
      const failing = world.users.add({ login: 'alice', password: PASSWORD }, () =>
        Promise.reject(new DomainError('overloaded', 'no account')),
      );
      expect(await codeOf(failing)).toBe('overloaded');
      expect((await everyone(world)).length).toBe(0);
      expect((await world.add('alice')).id).toBe(1);
    });

    test('unknown users are not found', async () => {
      await using world = await openWorld(dialect);
      const { users } = world;
      for (const login of ['nobody', '', 'a\0b', '\ud800', 'x'.repeat(100_000)]) {
        expect(await codeOf(users.find(login))).toBe('not_found');
      }
      expect(await codeOf(users.get(7))).toBe('not_found');
      expect(await codeOf(users.setPassword(7, PASSWORD))).toBe('not_found');
      expect(await codeOf(users.setBlocked(7, true))).toBe('not_found');
      expect(await codeOf(users.erase(7, nothing))).toBe('not_found');
      expect(await users.isAdmin(7)).toBe(false);
    });

    test('an allowance is a whole number or absent', async () => {
      await using world = await openWorld(dialect);
      const add = (login: string, trustAllowance: number | null) =>
        world.users.add({ login, password: PASSWORD, trustAllowance }, nothing);
      for (const allowance of [0, 1_000, null]) {
        const { id } = await add(`with-${allowance}`, allowance);
        expect((await world.users.get(id)).trustAllowance).toBe(allowance);
      }
      for (const allowance of [-1, 0.5, Number.NaN, Infinity]) {
        const error = await refusalOf(add('refused', allowance));
        expect(error.details[0]?.path).toBe('trust_allowance');
      }
    });

    test('a blocked user has no rights until unblocked', async () => {
      await using world = await openWorld(dialect);
      const input = { login: 'root', password: PASSWORD, role: 'admin' } as const;
      const { id } = await world.users.add(input, nothing);
      await world.users.add({ ...input, login: 'other-admin' }, nothing);
      expect(await world.users.isAdmin(id)).toBe(true);
      await world.users.setBlocked(id, true);
      expect(await world.users.isAdmin(id)).toBe(false);
      expect((await world.users.get(id)).isBlocked).toBe(true);
      await world.users.setBlocked(id, false);
      expect(await world.users.isAdmin(id)).toBe(true);
    });

    test("erasure removes the user's name, rights, keys and addresses, and frees the login", async () => {
      await using world = await openWorld(dialect);
      const { users, keys, auth, db } = world;
      const input = { login: 'alice', password: PASSWORD, role: 'admin' } as const;
      const { id } = await users.add(input, nothing);
      await users.add({ ...input, login: 'other-admin' }, nothing);
      const { token } = await world.login('alice');
      const { key } = await keys.create(id, { name: 'laptop of Alice' });
      await auth.authenticate(token);
      await auth.authenticate(key);
      await users.erase(id, async (tx) => {
        await tx.query('INSERT INTO settings (name, value) VALUES ($1, $2)', ['erased', 'too']);
      });
      expect(await users.get(id)).toMatchObject({
        login: `erased-${id}`,
        role: 'user',
        erasedAt: START_MS,
      });
      expect(await users.isAdmin(id)).toBe(false);
      expect(await codeOf(users.find('alice'))).toBe('not_found');
      expect(await codeOf(auth.authenticate(token))).toBe('token_revoked');
      expect(await codeOf(auth.authenticate(key))).toBe('token_revoked');
      expect(await codeOf(world.login(`erased-${id}`))).toBe('wrong_credentials');
      expect(await codeOf(users.setPassword(id, PASSWORD))).toBe('not_found');
      expect(await codeOf(keys.create(id, { name: 'new' }))).toBe('not_found');
      expect(await keys.list(id)).toMatchObject([{ name: '', revokedAt: START_MS }]);
      expect(await db.query('SELECT address FROM known_addresses')).toEqual([]);
      expect(await db.query('SELECT value FROM settings')).toEqual([{ value: 'too' }]);
      await users.erase(id, nothing);
      expect((await world.add('alice')).id).not.toBe(id);
    });

    test('an erasure that fails elsewhere erases nothing', async () => {
      await using world = await openWorld(dialect);
      const { id } = await world.add('alice');
      const failing = world.users.erase(id, () =>
        Promise.reject(new DomainError('overloaded', 'disk')),
      );
      expect(await codeOf(failing)).toBe('overloaded');
      await world.auth.login({ login: 'alice', password: PASSWORD, address: ADDRESS });
    });
  });
}

describe('logins', () => {
  const refused = [
    '',
    ' ',
    'a b',
    ' alice',
    'alice\n',
    'a/b',
    'a+b',
    'a\0b',
    '😀',
    'a\u200db',
    'a\u3164b',
    '\ud800',
    'x'.repeat(65),
    'я'.repeat(65),
    'erased-5',
    'ERASED-5',
    'é'.repeat(65).normalize('NFD'),
    'x'.repeat(100_000),
    '\u0301',
    '\u0301\u0327',
  ];
  const accepted = ['a', '7', 'x'.repeat(64), 'я'.repeat(64), '𠮷'.repeat(64), 'हिन्दी', 'erased-x'];
  accepted.push(
    '.',
    '@_-',
    '.\u0301',
    'a.b_c-d@e',
    'é'.repeat(64).normalize('NFD'),
    'İstanbul',
    'erased-',
  );

  test('the rule', async () => {
    await using world = await openWorld('sqlite');
    for (const login of refused) {
      // With a short password, the first refusal shows whether the login passed.
      const error = await refusalOf(world.users.add({ login, password: '' }, nothing));
      expect([login, error.details[0]?.path]).toEqual([login, 'login']);
    }
    for (const login of accepted) {
      const error = await refusalOf(world.users.add({ login, password: '' }, nothing));
      expect([login, error.details[0]?.path]).toEqual([login, 'password']);
    }
  });

  test('folding twice is folding once, and case does not matter', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 64 }), expectStableFold), {
      numRuns: 2_000,
    });
  });

  test('each letter and mark folds as its other case does', () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (/[\p{L}\p{M}]/u.test(character)) expectStableFold(character);
    }
  });
});

function expectStableFold(text: string): void {
  const folded = foldLogin(text);
  // The order of marks is made canonical first: upper case turns one of them (U+0345) into a letter, which stays where
  // it is.
  const spellings = [folded, text.normalize('NFC').toUpperCase(), text.normalize('NFD')];
  for (const spelling of spellings) {
    if (foldLogin(spelling) !== folded) expect([text, foldLogin(spelling)]).toEqual([text, folded]);
  }
}
