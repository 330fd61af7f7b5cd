import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { Passwords } from '../../src/users/index.ts';
import { codeOf, refusalOf } from './world.ts';

const passwords = new Passwords();

describe('passwords', () => {
  test('any valid password verifies, and another one does not', async () => {
    const valid = fc
      .string({ unit: 'binary', minLength: 8, maxLength: 60 })
      .filter((text) => Array.from(text.normalize('NFC')).length >= 8)
      // Not a variant of a common password.
      .map((text) => `ы ${text}`);
    await fc.assert(
      fc.asyncProperty(valid, async (password) => {
        const hash = await passwords.hash(password);
        expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
        expect(await passwords.verify(password, hash)).toBe(true);
        expect(await passwords.verify(`${password}x`, hash)).toBe(false);
      }),
      { numRuns: 8 },
    );
  });

  test('the same accents verify however they are composed', async () => {
    const hash = await passwords.hash('пароль й é');
    expect(await passwords.verify('пароль й é'.normalize('NFD'), hash)).toBe(true);
  });

  const refused = {
    empty: '',
    'seven characters': '1234567',
    'seven characters of two units each': '😀😀😀😀😀😀😀',
    'seven characters, each an accent apart': 'ééééééé'.normalize('NFD'),
    '1,025 bytes': 'a'.repeat(1_025),
    '1,026 bytes in 513 characters': 'я'.repeat(513),
    'a lone surrogate': 'abcdefgh\ud800',
    'a common one': 'password1',
    'a common one in upper case': 'QWERTYUIOP',
  };
  for (const [name, password] of Object.entries(refused)) {
    test(`refused: ${name}`, async () => {
      const error = await refusalOf(passwords.hash(password, 'new_password'));
      expect(error.code).toBe('invalid_request');
      expect(error.details[0]?.path).toBe('new_password');
    });
  }

  test('8 characters and 1,024 bytes are accepted', async () => {
    for (const password of ['1 char 8', '😀😀😀😀😀😀😀😀', 'я'.repeat(512), 'a'.repeat(1_024)]) {
      expect(await passwords.verify(password, await passwords.hash(password))).toBe(true);
    }
  });

  test('a password that is too long or malformed never matches', async () => {
    const hash = await passwords.hash('1 char 8');
    expect(await passwords.verify('a'.repeat(100_000), hash)).toBe(false);
    expect(await passwords.verify('', hash)).toBe(false);
  });

  test('an unknown user matches no password', async () => {
    expect(await passwords.verify('correct horse battery')).toBe(false);
    expect(await passwords.verify('')).toBe(false);
  });

  test('a hash beyond the queue is refused, and the queue continues', async () => {
    const small = new Passwords({ atOnce: 1, queueMax: 1 });
    const running = small.hash('1 char 8');
    const waiting = small.hash('1 char 8');
    const error = await refusalOf(small.hash('1 char 8'));
    expect(error.code).toBe('overloaded');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    await Promise.all([running, waiting]);
    expect(await codeOf(small.hash(''))).toBe('invalid_request');
    expect(await small.verify('1 char 8', await small.hash('1 char 8'))).toBe(true);
  });
});
