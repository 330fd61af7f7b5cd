/** The longest life of a session: refreshing extends a token, never the session. */
import { describe, expect, test } from 'bun:test';
import { readConfig } from '../../src/config/index.ts';
import { stillClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, PASSWORD } from '../support/gateway.ts';

interface Issued {
  token: string;
  expired_at: number;
}

test("the limit is 30 days, or a token's lifetime if longer, unless set", () => {
  const lifeOf = (env: Record<string, string>) => readConfig(env).sessionMaxSeconds;
  expect(lifeOf({})).toBe(2_592_000);
  expect(lifeOf({ ZASTAVA_TOKEN_TTL_SECONDS: '31536000' })).toBe(31_536_000);
  expect(lifeOf({ ZASTAVA_SESSION_MAX_SECONDS: '3600' })).toBe(3600);
  for (const value of ['0', '-1', 'day', '1.5']) {
    expect(() => lifeOf({ ZASTAVA_SESSION_MAX_SECONDS: value })).toThrow(
      'ZASTAVA_SESSION_MAX_SECONDS: must be a whole number from 1 to',
    );
  }
});

for (const dialect of dialects) {
  describe(`${dialect}: a session`, () => {
    test("ends in time however often it is refreshed, also a cookie's", async () => {
      const clock = stillClock();
      const env = { ZASTAVA_TOKEN_TTL_SECONDS: '60', ZASTAVA_SESSION_MAX_SECONDS: '150' };
      await using gateway = await openGateway(dialect, { clock, env });
      const { login } = await gateway.addUser();
      const started = Math.floor(clock.now() / 1000);
      // A cookie without `auto` ends earlier only in the client; the server treats both alike.
      const cookies = await Promise.all(
        [{ auto: '' }, {}].map(async (wish) => {
          const form = new URLSearchParams({ login, pass: PASSWORD, ...wish });
          const page = await gateway.fetch('/login.php', { method: 'POST', body: form });
          return page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
        }),
      );
      const areIn = () =>
        Promise.all(
          cookies.map(async (cookie) =>
            (await gateway.fetch('/login.php', { headers: { cookie } })).text(),
          ),
        );
      let issued = await gateway.data<Issued>('/auth/login/', { login, password: PASSWORD });
      expect(issued.expired_at - started).toBeWithin(60, 63);
      for (const [forward, life] of [
        [50, 110],
        [50, 150],
        [45, 150],
      ] as const) {
        clock.forward(forward * 1000);
        issued = await gateway.data<Issued>('/auth/refresh/', {}, issued);
        expect(issued.expired_at - started).toBeWithin(life, life + 4);
        const payload = JSON.parse(
          Buffer.from(issued.token.split('.')[1] ?? '', 'base64url').toString(),
        );
        expect(payload.exp).toBe(issued.expired_at);
      }
      expect(await areIn()).toEqual(['yes', 'yes']);
      clock.forward(10_000);
      expect(await gateway.code('/auth/refresh/', {}, issued)).toBe('token_expired');
      expect(await areIn()).toEqual(['no', 'no']);
    });
  });
}
