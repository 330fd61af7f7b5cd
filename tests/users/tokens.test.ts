import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { Tokens } from '../../src/users/index.ts';
import { Forger } from '../support/forged-tokens.ts';
import { codeOf, SECRET, START_MS, TestClock, TTL_SECONDS } from './world.ts';

const now = START_MS / 1000;
const forger = new Forger(
  {
    ...{ iss: 'zastava', aud: 'zastava-api', sub: '5', jti: '0123456789abcdef0123456789abcdef' },
    ...{ iat: now, exp: now + 60, epoch: 1 },
  },
  SECRET,
);

const tokensAt = (clock: TestClock, secret = SECRET) =>
  new Tokens({ clock, secret, ttlSeconds: TTL_SECONDS });

describe('tokens', () => {
  test('the token used for the forgeries below is good as it is', async () => {
    const claims = await tokensAt(new TestClock()).verify(await forger.sign());
    expect(claims).toEqual({
      userId: 5,
      jti: forger.claims.jti,
      expiresAt: forger.claims.exp * 1000,
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

  test('no text but a token is a token', async () => {
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

  test('expiry is exp itself, to the millisecond, by the clock that is handed in', async () => {
    const clock = new TestClock();
    clock.wall += 999;
    const tokens = tokensAt(clock);
    const { token, expiredAt } = await tokens.issue(5, 3);
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(payload).toMatchObject({ sub: '5', iat: now, exp: expiredAt, epoch: 3 });
    expect(expiredAt).toBe(now + TTL_SECONDS);
    clock.wall = expiredAt * 1000 - 1;
    expect((await tokens.verify(token)).userId).toBe(5);
    clock.wall = expiredAt * 1000;
    expect(await codeOf(tokens.verify(token))).toBe('token_expired');
    clock.wall = expiredAt * 1000 * 2;
    expect(await codeOf(tokens.verify(token))).toBe('token_expired');
  });

  test('no two tokens are alike, and one may last for another time', async () => {
    const tokens = tokensAt(new TestClock());
    const [first, second] = await Promise.all([tokens.issue(5, 1), tokens.issue(5, 1)]);
    expect(first.token).not.toBe(second.token);
    expect((await tokens.issue(5, 1, 60)).expiredAt).toBe(now + 60);
  });

  test('a secret under 32 bytes is refused', () => {
    expect(() => tokensAt(new TestClock(), new Uint8Array(31))).toThrow('32 bytes');
  });
});
