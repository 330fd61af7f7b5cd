/** The sessions of a user: listed, and ended from elsewhere. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { type Gateway, openGateway, PASSWORD } from '../support/gateway.ts';

interface Session {
  id: string;
  kind: string;
  started_at: number;
  device: string | null;
  address: string | null;
  is_current: boolean;
}

const list = async (gateway: Gateway, token: string) =>
  (await gateway.data<{ sessions: Session[] }>('/account/sessions/', {}, { token })).sessions;
const end = (gateway: Gateway, token: string, body: object) =>
  gateway.data<{ ended: number }>('/account/sessions/end/', body, { token });

for (const dialect of dialects) {
  describe(`${dialect}: sessions`, () => {
    test('are listed while they are open, each with its current token', async () => {
      await using gateway = await openGateway(dialect);
      const { login } = await gateway.addUser();
      const token = await gateway.login(login);
      const other = await gateway.login(login);
      expect(await list(gateway, token)).toHaveLength(2);
      const { token: fresh } = await gateway.data<{ token: string }>(
        '/auth/refresh/',
        {},
        {
          token: other,
        },
      );
      const seen = await list(gateway, fresh);
      expect(seen).toHaveLength(2);
      expect(seen.filter((one) => one.is_current)).toHaveLength(1);
      expect(seen.map((one) => one.kind)).toEqual(['api', 'api']);
      await gateway.data<object>('/auth/logout/', {}, { token: fresh });
      expect(await list(gateway, token)).toEqual([
        expect.objectContaining({ kind: 'api', is_current: true }),
      ]);
      const changed = { current_password: PASSWORD, new_password: 'another password' };
      await gateway.data<object>('/account/password/', changed, { token });
      const again = await gateway.login(login, 'another password');
      expect(await list(gateway, again)).toHaveLength(1);
    });

    test('show the device and the address of their login', async () => {
      await using gateway = await openGateway(dialect);
      const { login } = await gateway.addUser();
      const headers = {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0',
      };
      const body = { login, password: PASSWORD };
      const { token } = await gateway.data<{ token: string }>('/auth/login/', body, { headers });
      const place = { device: 'Firefox, Linux', address: '127.0.0.1' };
      expect(await list(gateway, token)).toEqual([expect.objectContaining(place)]);
      // A refresh continues the session.
      const fresh = await gateway.data<{ token: string }>('/auth/refresh/', {}, { token });
      expect(await list(gateway, fresh.token)).toEqual([expect.objectContaining(place)]);
    });

    test('are deleted when their user is erased', async () => {
      await using gateway = await openGateway(dialect);
      const { login, userId } = await gateway.addUser();
      await gateway.login(login);
      const count = () =>
        gateway.core.db.query<{ count: number }>(
          'SELECT CAST(COUNT(*) AS BIGINT) AS count FROM sessions WHERE user_id = $1',
          [userId],
        );
      expect(await count()).not.toEqual([{ count: 0 }]);
      const admin = await gateway.addUser({ isAdmin: true });
      await gateway.data<object>('/admin/users/erase/', { login }, admin);
      expect(await count()).toEqual([{ count: 0 }]);
    });

    test('one is ended by its id, also after its token was replaced', async () => {
      await using gateway = await openGateway(dialect);
      const { login } = await gateway.addUser();
      const token = await gateway.login(login);
      const stranger = await gateway.addUser();
      const other = await gateway.login(login);
      const target = (await list(gateway, other)).find((one) => one.is_current);
      const { token: fresh } = await gateway.data<{ token: string }>(
        '/auth/refresh/',
        {},
        {
          token: other,
        },
      );
      const body = { id: target?.id };
      expect(await gateway.code('/account/sessions/end/', body, stranger)).toBe('not_found');
      expect(await end(gateway, token, body)).toEqual({ ended: 1 });
      expect(await gateway.code('/account/', {}, { token: fresh })).toBe('token_revoked');
      expect(await gateway.code('/account/sessions/end/', body, { token })).toBe('not_found');
      expect(await list(gateway, token)).toHaveLength(1);
      for (const wrong of [{}, { id: 'x', others: true }]) {
        expect(await gateway.code('/account/sessions/end/', wrong, { token })).toBe(
          'invalid_request',
        );
      }
    });

    test("all others are ended, and nobody else's", async () => {
      await using gateway = await openGateway(dialect);
      const { login } = await gateway.addUser();
      const token = await gateway.login(login);
      const stranger = await gateway.addUser();
      const others = [await gateway.login(login), await gateway.login(login)];
      const { key } = await gateway.data<{ key: string }>(
        '/account/keys/',
        { name: 'k' },
        { token },
      );
      expect(await end(gateway, token, { others: true })).toEqual({ ended: 2 });
      for (const other of others) {
        expect(await gateway.code('/account/', {}, { token: other })).toBe('token_revoked');
      }
      await gateway.data<object>('/account/', {}, stranger);
      // A key is not a session: it stays valid, and can end all sessions.
      expect(await end(gateway, key, { others: true })).toEqual({ ended: 1 });
      expect(await gateway.code('/account/', {}, { token })).toBe('token_revoked');
    });
  });
}
