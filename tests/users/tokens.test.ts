import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { Tokens } from '../../src/users/index.ts';
import { codeOf, SECRET, START_MS, TestClock, TTL_SECONDS } from './world.ts';

const otherSecret = new Uint8Array(32).fill(8);
const now = START_MS / 1000;
const goodClaims = {
  iss: 'zastava',
  aud: 'zastava-api',
  sub: '5',
  jti: '0123456789abcdef0123456789abcdef',
  iat: now,
  exp: now + 60,
  epoch: 1,
} satisfies JWTPayload;
const goodHeader = { alg: 'HS256', typ: 'JWT' };

const tokensAt = (clock: TestClock, secret = SECRET) =>
  new Tokens({ clock, secret, ttlSeconds: TTL_SECONDS });

const forge = (claims: JWTPayload = goodClaims, header = {}, secret = SECRET) =>
  new SignJWT(claims).setProtectedHeader({ ...goodHeader, ...header }).sign(secret);

const without = (claim: keyof typeof goodClaims): JWTPayload => {
  const claims: JWTPayload = { ...goodClaims };
  delete claims[claim];
  return claims;
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function rsaSigned(): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256');
  return new SignJWT(goodClaims).setProtectedHeader({ alg: 'RS256', typ: 'JWT' }).sign(privateKey);
}

/** The classic swap: a public key's text taken for the HMAC secret. */
async function publicKeyAsSecret(): Promise<string> {
  const { publicKey } = await generateKeyPair('RS256', { extractable: true });
  const raw = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
  return forge(goodClaims, {}, raw);
}

async function spliced(part: 0 | 1, replacement: unknown): Promise<string> {
  const parts = (await forge()).split('.');
  parts[part] = encode(replacement);
  return parts.join('.');
}

const forgeries: Record<string, () => string | Promise<string>> = {
  'no signature, alg none': () => new UnsecuredJWT(goodClaims).encode(),
  'alg none over a real signature': () => spliced(0, { alg: 'none', typ: 'JWT' }),
  'alg NONE in capitals': () => spliced(0, { alg: 'NONE', typ: 'JWT' }),
  'another HMAC, HS512': () => forge(goodClaims, { alg: 'HS512' }, new Uint8Array(64).fill(7)),
  'another HMAC, HS384': () => forge(goodClaims, { alg: 'HS384' }, new Uint8Array(48).fill(7)),
  'signed with RSA': rsaSigned,
  'a public key as the secret': publicKeyAsSecret,
  'RS256 named over an HMAC': () => spliced(0, { alg: 'RS256', typ: 'JWT' }),
  'another secret': () => forge(goodClaims, {}, otherSecret),
  'another secret, lasting for ever': () =>
    forge({ ...goodClaims, exp: 99_999_999_999 }, {}, otherSecret),
  'a secret of zeros': () => forge(goodClaims, {}, new Uint8Array(32)),
  'another user spliced in': () => spliced(1, { ...goodClaims, sub: '1' }),
  'a later expiry spliced in': () => spliced(1, { ...goodClaims, exp: now + 999_999 }),
  'kid that names a file': () => forge(goodClaims, { kid: '../../dev/null' }, otherSecret),
  'kid that is SQL': () => forge(goodClaims, { kid: "' UNION SELECT 'x" }, otherSecret),
  'its own key in the header': () =>
    forge(goodClaims, { jwk: { kty: 'oct', k: encode(otherSecret) } }, otherSecret),
  'a key address in the header': () => forge(goodClaims, { jku: 'http://[::1]/' }, otherSecret),
  'an unknown critical header': () => spliced(0, { ...goodHeader, crit: ['b64'], b64: false }),
  'wrong issuer': () => forge({ ...goodClaims, iss: 'other' }),
  'wrong audience': () => forge({ ...goodClaims, aud: 'other' }),
  'wrong type': () => forge(goodClaims, { typ: 'refresh+jwt' }),
  'no type': () => forge(goodClaims, { typ: undefined }),
  'no issuer': () => forge(without('iss')),
  'no audience': () => forge(without('aud')),
  'no sub': () => forge(without('sub')),
  'no jti': () => forge(without('jti')),
  'no iat': () => forge(without('iat')),
  'no exp': () => forge(without('exp')),
  'no epoch': () => forge(without('epoch')),
  'a sub that is no number': () => forge({ ...goodClaims, sub: '5 OR 1=1' }),
  'a sub of 0': () => forge({ ...goodClaims, sub: '0' }),
  'an epoch that is text': () => forge({ ...goodClaims, epoch: '1' }),
  'a jti of another shape': () => forge({ ...goodClaims, jti: "x'--" }),
  'not yet valid': () => forge({ ...goodClaims, nbf: now + 10 }),
  'expired, and wrong issuer': () => forge({ ...goodClaims, exp: now - 10, iss: 'other' }),
  'expired, and another secret': () => forge({ ...goodClaims, exp: now - 10 }, {}, otherSecret),
  'too long': () => forge({ ...goodClaims, more: 'x'.repeat(2_000) }),
  'signature cut': async () => (await forge()).slice(0, -1),
  'signature gone': async () => (await forge()).replace(/[^.]*$/, ''),
  'two parts': async () => (await forge()).split('.').slice(0, 2).join('.'),
  'four parts': async () => `${await forge()}.x`,
  'space before': async () => ` ${await forge()}`,
  'space after': async () => `${await forge()} `,
  'line end after': async () => `${await forge()}\n`,
  'space inside the signature': async () => (await forge()).replace(/(.{5})$/, ' $1'),
  'padding after': async () => `${await forge()}=`,
  'the scheme before': async () => `Bearer ${await forge()}`,
  'only dots': () => '..',
  empty: () => '',
};

describe('tokens', () => {
  test('the token used for the forgeries below is good as it is', async () => {
    const claims = await tokensAt(new TestClock()).verify(await forge());
    expect(claims).toEqual({
      userId: 5,
      jti: goodClaims.jti,
      expiresAt: goodClaims.exp * 1000,
      epoch: 1,
    });
  });

  for (const [name, make] of Object.entries(forgeries)) {
    test(`refused: ${name}`, async () => {
      expect(await codeOf(tokensAt(new TestClock()).verify(await make()))).toBe('invalid_token');
    });
  }

  test('a signature has one spelling', async () => {
    const token = await forge();
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
