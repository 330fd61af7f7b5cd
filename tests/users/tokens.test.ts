import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { Tokens } from '../../src/users/index.ts';
import { Forger } from '../support/forged-tokens.ts';
import { codeOf, SECRET, SESSION_MAX_SECONDS, START_MS, TestClock, TTL_SECONDS } from './world.ts';

const now = START_MS / 1000;
const forger = new Forger(
  {
    iss: 'zastava',
    aud: 'zastava-api',
    sub: '5',
    jti: '0123456789abcdef0123456789abcdef',
    iat: now,
    exp: now + 60,
    epoch: 1,
    auth_time: now,
  },
  SECRET,
);

interface TokenOptions {
  previousSecret?: Uint8Array<ArrayBuffer>;
  sessionMaxSeconds?: number;
}

const tokensAt = (
  clock: TestClock,
  secret = SECRET,
  { previousSecret, sessionMaxSeconds = SESSION_MAX_SECONDS }: TokenOptions = {},
) =>
  new Tokens({
    clock,
    secret,
    previousSecret,
    ttlSeconds: TTL_SECONDS,
    sessionMaxSeconds,
  });

describe('tokens', () => {
  test('the token that the forgeries are made from is valid', async () => {
    const claims = await tokensAt(new TestClock()).verify(await forger.sign());
    expect(claims).toEqual({
      userId: 5,
      jti: forger.claims.jti,
      expiresAt: forger.claims.exp * 1000,
      startedAt: forger.claims.auth_time * 1000,
      confirmedAt: forger.claims.auth_time * 1000,
      audience: 'api',
      epoch: 1,
    });
  });

  for (const [name, make] of Object.entries(forger.all)) {
    test(`refused: ${name}`, async () => {
      expect(await codeOf(tokensAt(new TestClock()).verify(await make()))).toBe('invalid_token');
    });
  }

  test('a signature has one spelling', async () => {
    const token = await forger.sign();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const tokens = tokensAt(new TestClock());
    for (const last of alphabet) {
      const spelling = token.slice(0, -1) + last;
      if (spelling !== token) expect(await codeOf(tokens.verify(spelling))).toBe('invalid_token');
    }
  });

  test('an arbitrary text is not a token', async () => {
    const tokens = tokensAt(new TestClock());
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    await fc.assert(
      fc.asyncProperty(part, part, part, async (header, payload, signature) => {
        const padded = signature.padEnd(43, 'A').slice(0, 43);
        expect(await codeOf(tokens.verify(`${header}.${payload}.${padded}`))).toBe('invalid_token');
      }),
      { numRuns: 500 },
    );
  });

  test('expiry is exp itself, to the millisecond, by the given clock', async () => {
    const clock = new TestClock();
    clock.wall += 999;
    const tokens = tokensAt(clock);
    const { token, expiresAt } = await tokens.issue(5, 3);
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(payload).toMatchObject({ sub: '5', iat: now, exp: expiresAt / 1000, epoch: 3 });
    expect(expiresAt).toBe((now + TTL_SECONDS) * 1000);
    clock.wall = expiresAt - 1;
    expect((await tokens.verify(token)).userId).toBe(5);
    clock.wall = expiresAt;
    expect(await codeOf(tokens.verify(token))).toBe('token_expired');
    clock.wall = expiresAt * 2;
    expect(await codeOf(tokens.verify(token))).toBe('token_expired');
  });

  test('no two tokens are equal, and a token may have another lifetime', async () => {
    const tokens = tokensAt(new TestClock());
    const [first, second] = await Promise.all([tokens.issue(5, 1), tokens.issue(5, 1)]);
    expect(first.token).not.toBe(second.token);
    expect((await tokens.issue(5, 1, { ttlSeconds: 60 })).expiresAt).toBe((now + 60) * 1000);
  });

  test('no token outlives its session, counted from the login', async () => {
    const clock = new TestClock();
    const tokens = tokensAt(clock, SECRET, { sessionMaxSeconds: 100 });
    const first = await tokens.issue(5, 1, { ttlSeconds: 60 });
    expect(first.expiresAt).toBe((now + 60) * 1000);
    const { startedAt } = await tokens.verify(first.token);
    expect(startedAt).toBe(START_MS);
    clock.pass(59_999);
    const second = await tokens.issue(5, 1, { ttlSeconds: 60, startedAt });
    expect(second.expiresAt).toBe((now + 100) * 1000);
    expect(await tokens.verify(second.token)).toMatchObject({
      startedAt,
      expiresAt: (now + 100) * 1000,
    });
    clock.pass(40_000);
    expect((await tokens.issue(5, 1, { startedAt })).expiresAt).toBe((now + 100) * 1000);
    clock.pass(1);
    expect(await codeOf(tokens.verify(second.token))).toBe('token_expired');
    expect((await tokens.issue(5, 1, { ttlSeconds: 500 })).expiresAt).toBe((now + 200) * 1000);
  });

  test('a shorter session limit ends tokens that are already issued', async () => {
    const clock = new TestClock();
    const { token } = await tokensAt(clock).issue(5, 1);
    const shorter = tokensAt(clock, SECRET, { sessionMaxSeconds: 10 });
    expect((await shorter.verify(token)).expiresAt).toBe(START_MS + 10_000);
    clock.pass(10_000);
    expect(await codeOf(shorter.verify(token))).toBe('token_expired');
  });

  test('tokens of the previous secret are valid while it is configured, and no new one is signed with it', async () => {
    const clock = new TestClock();
    const next = new Uint8Array(32).fill(9);
    const before = tokensAt(clock);
    const changing = tokensAt(clock, next, { previousSecret: SECRET });
    const after = tokensAt(clock, next);
    const old = await before.issue(5, 1);
    const fresh = await changing.issue(5, 1);
    expect(await changing.verify(old.token)).toEqual(await before.verify(old.token));
    expect((await changing.verify(fresh.token)).userId).toBe(5);
    expect((await after.verify(fresh.token)).userId).toBe(5);
    expect(await codeOf(after.verify(old.token))).toBe('invalid_token');
    expect(await codeOf(before.verify(fresh.token))).toBe('invalid_token');
    for (const [name, make] of Object.entries(forger.all)) {
      const code = await codeOf(changing.verify(await make()));
      expect({ name, code }).toEqual({ name, code: 'invalid_token' });
    }
    clock.pass(TTL_SECONDS * 1000);
    for (const { token } of [old, fresh]) {
      expect(await codeOf(changing.verify(token))).toBe('token_expired');
    }
  });

  test('a secret under 32 bytes is refused', () => {
    expect(() => tokensAt(new TestClock(), new Uint8Array(31))).toThrow('32 bytes');
    const previousSecret = new Uint8Array(31);
    expect(() => tokensAt(new TestClock(), SECRET, { previousSecret })).toThrow('32 bytes');
  });
});
