/** Login, refresh, logout and the credentials of every other operation. */
import { describe, expect, test } from 'bun:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { stillClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, PASSWORD, type Gateway, type TestUser } from '../support/gateway.ts';
import { sharedWorld } from '../support/world.ts';

interface Token {
  token: string;
  expired_at: number;
}

const whoAmI = async (gateway: Gateway, token: string): Promise<string> => {
  const { status, body } = await gateway.post('/ai/settings/', {}, { token });
  return status === 200 ? 'ok' : (body.error?.code ?? '');
};

for (const dialect of dialects) {
  describe(`${dialect}: login`, () => {
    const world = sharedWorld(dialect);

    test("expired_at is in Unix seconds and equals the token's own exp", async () => {
      const { gateway } = world();
      const { login } = await gateway.addUser();
      const before = Math.floor(Date.now() / 1000);
      const { token, expired_at } = await gateway.data<Token>('/auth/login/', {
        login,
        password: PASSWORD,
      });
      const claims = decodeJwt(token);
      expect(claims.exp).toBe(expired_at);
      expect(expired_at - (claims.iat ?? 0)).toBe(86_400);
      expect(claims.iat).toBeGreaterThanOrEqual(before);
      expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256', typ: 'JWT' });
      expect(await whoAmI(gateway, token)).toBe('ok');
    });

    test('a wrong login and a wrong password get the same answer', async () => {
      const { gateway } = world();
      const { login } = await gateway.addUser();
      const answers = [
        await gateway.post('/auth/login/', { login: 'nobody-here', password: PASSWORD }),
        await gateway.post('/auth/login/', { login, password: 'not the password' }),
        await gateway.post('/auth/login/', { login, password: '' }),
        await gateway.post('/auth/login/', { login: 'not a login!', password: '' }),
      ];
      for (const { status, body, headers } of answers) {
        expect([status, body.error?.code]).toEqual([401, 'wrong_credentials']);
        expect(body.error).toEqual(answers[0]?.body.error ?? fail());
        expect(headers.get('www-authenticate')).toBe('Bearer');
      }
    });

    test('case does not matter in logins, but in passwords', async () => {
      const { gateway } = world();
      const { login } = await gateway.addUser({ login: `Иван.Ёж-${dialect}` });
      expect(await gateway.login(login.toUpperCase())).not.toBe('');
      const wrong = { login, password: PASSWORD.toUpperCase() };
      expect(await gateway.code('/auth/login/', wrong)).toBe('wrong_credentials');
    });

    test('a blocked user learns of the block only with the right password', async () => {
      const { gateway } = world();
      const { login, userId, token } = await gateway.addUser();
      expect(await whoAmI(gateway, token)).toBe('ok');
      await gateway.core.users.setBlocked(userId, true);
      const right = await gateway.post('/auth/login/', { login, password: PASSWORD });
      expect([right.status, right.body.error?.code]).toEqual([403, 'user_blocked']);
      const wrong = { login, password: 'not the password' };
      expect(await gateway.code('/auth/login/', wrong)).toBe('wrong_credentials');
      expect(await whoAmI(gateway, token)).toBe('user_blocked');
    });

    test('logout revokes only its token, at once', async () => {
      const { gateway } = world();
      const { login, token } = await gateway.addUser();
      const other = await gateway.login(login);
      expect(await gateway.data<object>('/auth/logout/', {}, { token })).toEqual({ revoked: true });
      expect(await whoAmI(gateway, token)).toBe('token_revoked');
      expect(await whoAmI(gateway, other)).toBe('ok');
      expect(await gateway.code('/auth/logout/', {}, { token })).toBe('token_revoked');
    });

    test('refresh replaces a valid token by a new one; of several at once, one succeeds', async () => {
      const { gateway } = world();
      const { token } = await gateway.addUser();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => gateway.post('/auth/refresh/', {}, { token })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200, 401, 401, 401, 401,
      ]);
      const fresh = answers.find(({ status }) => status === 200)?.body.data as Token;
      expect(decodeJwt(fresh.token).exp).toBe(fresh.expired_at);
      expect(await whoAmI(gateway, fresh.token)).toBe('ok');
      expect(await whoAmI(gateway, token)).toBe('token_revoked');
    });

    test('refuses malformed bearer tokens', async () => {
      const { gateway } = world();
      const { token } = await gateway.addUser();
      const send = async (authorization: string) => {
        const { status, body, headers } = await gateway.post(
          '/ai/settings/',
          {},
          { headers: { authorization } },
        );
        if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer');
        return body.error?.code ?? 'ok';
      };
      const [head, claims, signature] = token.split('.') as [string, string, string];
      const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
      expect(await send(`Bearer ${token}`)).toBe('ok');
      expect(await send(`bearer   ${token}`)).toBe('ok');
      for (const empty of ['', 'Bearer', 'Bearer ', `Basic ${token}`, token]) {
        expect([empty, await send(empty)]).toEqual([empty, 'unauthenticated']);
      }
      const forged = [
        'x',
        `${token}x`,
        `${head}.${claims}.`,
        `${none}.${claims}.`,
        `${none}.${claims}.${signature}`,
        `${head}.${Buffer.from('{"sub":"1"}').toString('base64url')}.${signature}`,
        'zk_unknown',
      ];
      for (const bad of forged)
        expect([bad, await send(`Bearer ${bad}`)]).toEqual([bad, 'invalid_token']);
    });

    test('a token ends at its expiry', async () => {
      const clock = stillClock();
      const env = { ZASTAVA_TOKEN_TTL_SECONDS: '60' };
      await using gateway = await openGateway(dialect, { clock, env });
      const { token } = await gateway.addUser();
      clock.forward(58_000);
      expect(await whoAmI(gateway, token)).toBe('ok');
      clock.forward(2_000);
      expect(await whoAmI(gateway, token)).toBe('token_expired');
      expect(await gateway.code('/auth/refresh/', {}, { token })).toBe('token_expired');
    });

    test('another node sees a revocation, a block and a password change within 5 seconds', async () => {
      const clock = stillClock();
      await using first = await openGateway(dialect, { clock });
      await using second = await openGateway(dialect, { clock, database: first.database });
      const users: TestUser[] = [];
      for (let i = 0; i < 3; i++) users.push(await first.addUser());
      const [out, blocked, changed] = users as [TestUser, TestUser, TestUser];
      // The second node has cached all of them.
      for (const { token } of users) expect(await whoAmI(second, token)).toBe('ok');
      await first.data<object>('/auth/logout/', {}, out);
      await first.core.users.setBlocked(blocked.userId, true);
      await first.core.users.setPassword(changed.userId, 'another password');
      clock.forward(5_000);
      expect(await whoAmI(second, out.token)).toBe('token_revoked');
      expect(await whoAmI(second, blocked.token)).toBe('user_blocked');
      expect(await whoAmI(second, changed.token)).toBe('token_revoked');
    });

    test('an ended credential makes no key on a node that still caches it', async () => {
      await using first = await openGateway(dialect);
      await using second = await openGateway(dialect, { database: first.database });
      const { keys, users } = first.core;
      const ends: Record<string, (user: TestUser, keyId: string) => Promise<unknown>> = {
        logout: (user) => first.data('/auth/logout/', {}, user),
        password: ({ userId }) => users.setPassword(userId, 'another password'),
        block: ({ userId }) => users.setBlocked(userId, true),
        revocation: (_, keyId) => keys.revoke(keyId),
      };
      for (const [name, end] of Object.entries(ends)) {
        const user = await first.addUser();
        const { id, key } = await keys.create(user.userId, { name });
        const token = name === 'revocation' ? key : user.token;
        await second.data('/account/keys/', { name: 'before' }, { token });
        await end(user, id);
        const code = await second.code('/account/keys/', { name: 'after' }, { token });
        expect(code).toBe(name === 'block' ? 'user_blocked' : 'token_revoked');
        const names = (await keys.list(user.userId)).map((made) => made.name);
        expect(names.toSorted()).toEqual([name, 'before'].toSorted());
      }
    });

    test('guesses are throttled, without locking out the owner at another address', async () => {
      const env = { ZASTAVA_TRUSTED_PROXIES: '127.0.0.1' };
      await using gateway = await openGateway(dialect, { env });
      const { login } = await gateway.addUser();
      const guess = (address: string, password: string) =>
        gateway.post(
          '/auth/login/',
          { login, password },
          { headers: { 'x-forwarded-for': address } },
        );
      const codes: (string | undefined)[] = [];
      for (let i = 0; i < 11; i++) codes.push((await guess('192.0.2.1', 'wrong')).body.error?.code);
      expect(codes).toEqual([...Array<string>(10).fill('wrong_credentials'), 'too_many_attempts']);
      const { status, headers } = await guess('192.0.2.1', PASSWORD);
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await guess('198.51.100.7', PASSWORD)).status).toBe(200);
    });
  });
}

function fail(): never {
  throw new Error('nothing to compare with');
}
