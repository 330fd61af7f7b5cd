import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { newCode, readCode } from '../../src/codes/code-text.ts';
import { DomainError } from '../../src/lib/errors.ts';

const alphabet = Array.from('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L');

function problemOf(typed: string, kind: 'voucher' | 'invitation' = 'voucher'): string {
  try {
    readCode(kind, typed);
    return '';
  } catch (error) {
    return error instanceof DomainError ? error.message : `not a DomainError: ${String(error)}`;
  }
}

describe('a code', () => {
  const { code, digest } = newCode('voucher');

  test('has 26 characters of five random bits, and a checksum of six, in groups of four', () => {
    expect(code).toMatch(
      /^([QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{4}-){7}[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{4}$/,
    );
    expect(new Set(Array.from({ length: 1000 }, () => newCode('voucher').code)).size).toBe(1000);
  });

  test.each([
    ['in lower case', code.toLowerCase()],
    ['without hyphens', code.replaceAll('-', '')],
    ['with spaces and dashes of other kinds', ` ${code.replaceAll('-', ' – ')}\n`],
    [
      'with signs that look alike',
      code.replaceAll('0', 'O').replaceAll('L', '1').replaceAll('8', 'B'),
    ],
    ['with Cyrillic letters that look alike', code.replaceAll('A', 'А').replaceAll('C', 'С')],
  ])('is read %s', (_, typed) => {
    expect(readCode('voucher', typed)).toBe(digest);
  });

  test('with up to four wrong characters, or two swapped, is mistyped', () => {
    const plain = Array.from(code.replaceAll('-', ''));
    const change = fc.tuple(fc.integer({ min: 0, max: 31 }), fc.constantFrom(...alphabet));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const typed = [...plain];
        for (const [at, character] of changes) typed[at] = character;
        const isSame = typed.join('') === plain.join('');
        expect(problemOf(typed.join(''))).toBe(
          isSame ? '' : 'code: is mistyped; compare it with the printed one',
        );
      }),
    );
    for (let at = 1; at < plain.length; at++) {
      const [before = '', after = ''] = plain.slice(at - 1, at + 1);
      const typed = plain
        .with(at - 1, after)
        .with(at, before)
        .join('');
      if (before !== after) expect(problemOf(typed)).toContain('mistyped');
    }
  });

  test('of another kind is recognised as such', () => {
    expect(problemOf(code, 'invitation')).toContain('is one of the vouchers');
    expect(problemOf(newCode('invitation').code)).toContain('is one of the invitations');
  });

  test('that is incomplete, or any other text, is refused', () => {
    expect(problemOf(code.slice(1))).toContain('must have 32 letters and digits');
    expect(problemOf('x'.repeat(1_000_000))).toContain('must have 32 letters and digits');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (typed) => {
        expect(problemOf(typed)).toMatch(/^code: /);
      }),
    );
  });
});
