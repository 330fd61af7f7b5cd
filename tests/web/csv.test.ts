/** Tables as CSV: exact amounts, the separators of both languages, and no formulas. */
import { describe, expect, test } from 'bun:test';
import { csvText } from '../../web/lib/csv.ts';
import { decimalOf } from '../../web/lib/money.ts';

describe('a CSV file', () => {
  test('begins with a byte order mark, and ends each line as RFC 4180 says', () => {
    expect(
      csvText(
        [
          ['a', 'b'],
          [1, null],
        ],
        'en',
      ),
    ).toBe('\uFEFFa,b\r\n1,\r\n');
  });

  test('has commas and points, or semicolons and commas', () => {
    const row = ['text', 1.5, { micro: -12_000_001 }];
    expect(csvText([row], 'en')).toBe('\uFEFFtext,1.5,-12.000001\r\n');
    expect(csvText([row], 'ru')).toBe('\uFEFFtext;1,5;-12,000001\r\n');
  });

  test('quotes what would end a cell', () => {
    const texts = ['a,b', 'a;b', 'a"b', 'a\nb', 'a\rb'];
    expect(csvText([texts], 'en')).toBe('\uFEFF"a,b","a;b","a""b","a\nb","a\rb"\r\n');
  });

  test('has no text that a spreadsheet would run', () => {
    for (const begin of ['=', '+', '-', '@', '\t', '\0']) {
      expect(csvText([[`${begin}HYPERLINK()`]], 'en')).toBe(`\uFEFF'${begin}HYPERLINK()\r\n`);
    }
    expect(csvText([['\r=1+1']], 'en')).toBe(`\uFEFF"'\r=1+1"\r\n`);
    expect(csvText([['=1;"x"']], 'ru')).toBe(`\uFEFF"'=1;""x"""\r\n`);
  });
});

describe('an amount as a decimal', () => {
  test.each([
    [0, '0'],
    [1, '0.000001'],
    [-1, '-0.000001'],
    [1_000_000, '1'],
    [12_500_000, '12.5'],
    [-8_000_000_000_000_000, '-8000000000'],
    [123_456_789, '123.456789'],
  ])('%d micro-rubles are %s', (amount, text) => {
    expect(decimalOf(amount)).toBe(text);
  });
});
