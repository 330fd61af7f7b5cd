/** `/account/`, its password and its API keys. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway, PASSWORD } from '../support/gateway.ts';

const paths = ['', 'password/', 'keys/', 'usage/', 'transactions/', 'export/'].map(
  (name) => `/account/${name}`,
);

interface NewKey {
  id: string;
  key: string;
  name: string;
  created_at: number;
  expires_at: number | null;
}

interface Keys {
  keys: { id: string; name: string; revoked_at: number | null }[];
}

for (const dialect of dialects) {
  describe(`${dialect}: account`, () => {
    test('every operation needs a valid credential', async () => {
      await using gateway = await openGateway(dialect);
      const { token } = await gateway.addUser();
      for (const path of paths) {
        expect(await gateway.code(path, {})).toBe('unauthenticated');
        expect(await gateway.code(path, {}, { token: `${token}x` })).toBe('invalid_token');
        const get = await gateway.fetch(path);
        expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
      }
    });

    test('shows login, rights, balance and allowance', async () => {
      await using gateway = await openGateway(dialect);
      const { core } = gateway;
      const { token, userId, login } = await gateway.addUser({ credit: 0.000001 });
      await core.ledger.setCreditLimit(userId, 2_500_000);
      await core.db.transaction((tx) =>
        tx.query('UPDATE users SET trust_allowance = 7 WHERE id = $1', [userId]),
      );
      const created = Math.floor((await core.users.get(userId)).createdAt / 1000);
      expect(await gateway.data<object>('/account', '', { token })).toEqual({
        login,
        is_admin: false,
        role: 'user',
        balance: 0.000001,
        held: 0,
        available: 2.500001,
        credit_limit: 2.5,
        limits: {
          requests_per_minute: null,
          tokens_per_minute: null,
          rubles_per_day: null,
          models: null,
        },
        trust_allowance: 7,
        day_zone: 'UTC',
        trust_remaining: 7,
        created_at: created,
      });
      const admin = await gateway.addUser({ isAdmin: true });
      expect(await gateway.data<object>('/account/', {}, admin)).toMatchObject({
        is_admin: true,
        trust_allowance: 1000,
        trust_remaining: 1000,
      });
    });

    test('a password change ends all tokens and leaves the keys', async () => {
      await using gateway = await openGateway(dialect);
      const { token, login } = await gateway.addUser();
      const other = await gateway.login(login);
      const { key } = await gateway.data<NewKey>('/account/keys/', { name: 'cli' }, { token });
      const next = 'a new password';
      const body = { current_password: PASSWORD, new_password: next };
      const answer = await gateway.data<object>('/account/password/', body, { token });
      expect(answer).toEqual({ changed: true });
      for (const old of [token, other]) {
        expect(await gateway.code('/account/', {}, { token: old })).toBe('token_revoked');
      }
      await gateway.data<object>('/account/', {}, { token: key });
      expect(await gateway.code('/auth/login/', { login, password: PASSWORD })).toBe(
        'wrong_credentials',
      );
      await gateway.login(login, next);
    });

    test('a password change needs the current one and a good new one', async () => {
      await using gateway = await openGateway(dialect);
      const { token } = await gateway.addUser();
      const wrong = { current_password: 'not this one', new_password: 'a new password' };
      const refused = await gateway.post('/account/password/', wrong, { token });
      expect([refused.status, refused.body.error?.code]).toEqual([401, 'wrong_credentials']);
      const short = { current_password: PASSWORD, new_password: 'short' };
      const { status, body } = await gateway.post('/account/password/', short, { token });
      expect([status, body.error?.details?.[0]?.path]).toEqual([422, 'new_password']);
      expect(await gateway.code('/account/password/', {}, { token })).toBe('invalid_request');
      await gateway.data<object>('/account/', {}, { token });
    });

    test('API keys are made, shown once, listed and revoked', async () => {
      await using gateway = await openGateway(dialect);
      const { token } = await gateway.addUser();
      const expires = Math.floor(Date.now() / 1000) + 3600;
      const first = await gateway.data<NewKey>('/account/keys/', { name: 'Ноутбук 💻' }, { token });
      const second = await gateway.data<NewKey>(
        '/account/keys/',
        { name: 'CI', expires_at: expires },
        { token },
      );
      expect(first).toMatchObject({ name: 'Ноутбук 💻', expires_at: null });
      expect(second.expires_at).toBe(expires);
      const listed = await gateway.data<Keys>('/account/keys/', {}, { token: first.key });
      expect(listed.keys.toSorted((a, b) => b.name.localeCompare(a.name))).toEqual([
        expect.objectContaining({ id: first.id, revoked_at: null, hint: first.key.slice(-4) }),
        expect.objectContaining({ id: second.id, expires_at: expires }),
      ]);
      expect(JSON.stringify(listed)).not.toContain(first.key);
      const revoke = { revoke: first.id };
      for (let time = 0; time < 2; time++) {
        expect(await gateway.data<object>('/account/keys/', revoke, { token })).toEqual({
          id: first.id,
          revoked: true,
        });
      }
      expect(await gateway.code('/account/', {}, { token: first.key })).toBe('token_revoked');
      await gateway.data<object>('/account/', {}, { token: second.key });
    });

    test('refuses invalid requests for API keys', async () => {
      await using gateway = await openGateway(dialect);
      const { token } = await gateway.addUser();
      const other = await gateway.addUser();
      const foreign = await gateway.data<NewKey>('/account/keys/', { name: 'his' }, other);
      const revoke = { revoke: foreign.id };
      expect(await gateway.code('/account/keys/', revoke, { token })).toBe('not_found');
      await gateway.data<object>('/account/', {}, { token: foreign.key });
      expect(await gateway.data<Keys>('/account/keys/', {}, { token })).toEqual({ keys: [] });
      const bad: [object, string][] = [
        [{ name: '' }, 'name'],
        [{ name: 'x'.repeat(101) }, 'name'],
        [{ name: 5 }, 'name'],
        [{ name: 'a', expires_at: 1 }, 'expires_at'],
        [{ name: 'a', expires_at: 1.5 }, 'expires_at'],
        [{ name: 'a', expires_at: Number.MAX_SAFE_INTEGER }, 'expires_at'],
        [{ expires_at: 4_000_000_000 }, 'name'],
        [{ name: 'a', revoke: 'b' }, 'revoke'],
      ];
      for (const [body, path] of bad) {
        const { status, body: answer } = await gateway.post('/account/keys/', body, { token });
        expect([status, answer.error?.details?.[0]?.path]).toEqual([422, path]);
      }
    });
  });
}
