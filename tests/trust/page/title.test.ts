import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TitleCollector, legacyTitle } from '../../../src/trust/page/title.ts';

const anyText = fc
  .array(fc.nat(0xffff), { maxLength: 2_000 })
  .map((units) => String.fromCharCode(...units));
const nasty = fc
  .array(
    fc.constantFrom(
      '|',
      '\n',
      '\r\n',
      '\t',
      ' ',
      '\u0000',
      '\u0085',
      '\u2028',
      '\u2029',
      '\u00a0',
      '\ufeff',
      '\u200e',
      '\u200f',
      '\u202e',
      '\u2066',
      '\u2069',
      '\u061c',
      '\u007f',
      '\u009f',
      '\ud800',
      'a',
      'Я',
      '👩‍👩‍👧',
      'é',
      '中',
      '¦',
    ),
    { maxLength: 1_000 },
  )
  .map((pieces) => pieces.join(''));

describe('the title in the cookie interface', () => {
  test.each([
    ['a|b', 'a¦b'],
    ['  a \n\t b  ', 'a b'],
    ['a\r\nb\u2028c\u0085d', 'a b c d'],
    ['a\u0000b\u0007c', 'abc'],
    ['a \u0001 b', 'a b'],
    ['\u202egro.elpmaxe\u202c', 'gro.elpmaxe'],
    ['a\u00a0\u3000b', 'a b'],
    ['👩‍👩‍👧 семья', '👩‍👩‍👧 семья'],
    ['', ''],
    [' \n ', ''],
    ['a\ud800b', 'a\ufffdb'],
  ])('%p is %p', (title, expected) => {
    expect(legacyTitle(title)).toBe(expected);
  });

  test('is one field of one line, whatever the title', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, nasty), (title) => {
        const legacy = legacyTitle(title);
        expect(legacy).not.toMatch(
          /[\p{Cc}|\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
        );
        expect(legacy).not.toMatch(/^\s|\s$|\s\s/);
        expect(legacy.isWellFormed()).toBe(true);
        expect(Array.from(legacy).length).toBeLessThanOrEqual(300);
        expect(legacyTitle(legacy)).toBe(legacy);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the title of a page', () => {
  function collect(pieces: string[]): string {
    const collector = new TitleCollector();
    for (const piece of pieces) collector.push(piece);
    return collector.title;
  }

  test('is cleaned, then cut', () => {
    expect(collect(['  Привет,\n', '\t мир | 1 '])).toBe('Привет, мир | 1');
    expect(collect(['a\u202eb\u0007'])).toBe('ab');
    expect(collect(['\u200e'.repeat(5_000), 'late '.repeat(100)])).toBe('late '.repeat(60).trim());
    expect(collect(['a\u0000b'])).toBe('a\ufffdb');
    expect(Array.from(collect(['👍'.repeat(500)])).length).toBe(300);
    expect(collect([' '.repeat(100_000), 'late'])).toBe('late');
    expect(collect([...Array.from({ length: 1_000 }, () => ' \n'), 'late'])).toBe('late');
  });

  test('does not depend on how it is split into pieces, and is bounded', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, nasty), fc.integer({ min: 1, max: 50 }), (text, size) => {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const title = collect(pieces);
        expect(title).toBe(collect([text]));
        expect(Array.from(title).length).toBeLessThanOrEqual(300);
        expect(title.isWellFormed()).toBe(true);
        expect(title).not.toContain('\0');
      }),
      { numRuns: 500 },
    );
  });
});
