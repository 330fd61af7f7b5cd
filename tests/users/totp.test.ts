/** Time-based one-time passwords: the vectors of RFC 6238, and another implementation. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Secret, TOTP, URI } from 'otpauth';
import {
  isTotpCode,
  splitCode,
  stepAt,
  stepsWithCode,
  totpCode,
  totpKeyUri,
} from '../../src/users/totp.ts';

const SEED = new TextEncoder().encode('12345678901234567890');
const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
const moment = fc.integer({ min: 300_000, max: Date.UTC(2200, 0) });

/** Codes of the package otpauth. */
function otherTotp(secret: Uint8Array): TOTP {
  return new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) });
}

describe('a time-based code', () => {
  // RFC 6238, appendix B: seconds since 1970, and the code of eight digits with SHA-1.
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('is that of RFC 6238 at %d s', (seconds, code) => {
    expect(totpCode(SEED, stepAt(seconds * 1000), 8)).toBe(code);
    expect(totpCode(SEED, stepAt(seconds * 1000))).toBe(code.slice(2));
  });

  test('equals that of another implementation', () => {
    fc.assert(
      fc.property(bytes, moment, (secret, at) => {
        const code = otherTotp(secret).generate({ timestamp: at });
        expect(totpCode(secret, stepAt(at))).toBe(code);
        expect(stepsWithCode(secret, code, at)).toContain(stepAt(at));
      }),
    );
  });

  test('is valid in its own step, the one before and the one after', () => {
    fc.assert(
      fc.property(bytes, moment, fc.integer({ min: -3, max: 3 }), (secret, at, steps) => {
        const code = totpCode(secret, stepAt(at) + steps);
        const found = stepsWithCode(secret, code, at);
        expect(found.includes(stepAt(at) + steps)).toBe(Math.abs(steps) <= 1);
      }),
    );
  });

  test('has six digits', () => {
    expect(['123456', '12345', '1234567', '12345a', '１２３４５６', ''].map(isTotpCode)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(splitCode('secret123456')).toEqual({ before: 'secret', code: '123456' });
    expect(splitCode('secret')).toBeUndefined();
  });
});

test('another implementation reads the URI of a secret', () => {
  fc.assert(
    fc.property(bytes, fc.stringMatching(/^[\p{L}\d._@-]{1,64}$/u), (secret, login) => {
      const { secret: text, uri } = totpKeyUri(secret, login);
      const read = URI.parse(uri);
      expect(read).toMatchObject({ issuer: 'Zastava', label: login, digits: 6, period: 30 });
      expect(read.secret.base32).toBe(text);
      expect(new Uint8Array(read.secret.buffer)).toEqual(secret);
    }),
    { numRuns: 20 },
  );
});
