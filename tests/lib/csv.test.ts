import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CsvError, delimiterOf, readCsv } from '../../src/lib/csv.ts';

async function read(...pieces: string[]): Promise<string[][]> {
  const records = await Array.fromAsync(readCsv(pieces));
  return records.flat().map(({ fields }) => fields);
}

async function refusal(...pieces: string[]): Promise<string> {
  const error = await read(...pieces).catch((thrown: unknown) => thrown);
  return error instanceof CsvError ? error.message : String(error);
}

/** Text with many characters that are special in CSV. */
const text = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '"', ',', ';', '\t', '\r', '\n', '\uFEFF', 'é', '🙂'),
});
const cell = fc.oneof(text, fc.string({ unit: 'grapheme' }), fc.constantFrom('', '0', 'x'));

function cutUp(whole: string, cuts: readonly number[]): string[] {
  const at = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => whole.slice(start, at[index] ?? whole.length));
}

describe('CSV', () => {
  test('is read back for any table, however it is split', async () => {
    const table = fc
      .tuple(fc.integer({ min: 2, max: 5 }), fc.nat({ max: 6 }))
      .chain(([width, height]) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
          minLength: height,
          maxLength: height,
        }),
      );
    const style = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t'),
      end: fc.constantFrom('\r\n', '\n'),
      always: fc.boolean(),
      last: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        table,
        style,
        fc.array(fc.nat(), { maxLength: 6 }),
        async (rows, how, cuts) => {
          const { delimiter, end, always, last } = how;
          // The first line shows the delimiter.
          const head = Array.from({ length: rows[0]?.length ?? 2 }, (_, index) => `h${index}`);
          const write = (value: string) =>
            always || /["\r\n,;\t]/.test(value) || value.startsWith('\uFEFF')
              ? `"${value.replaceAll('"', '""')}"`
              : value;
          const lines = [head, ...rows].map((row) => row.map(write).join(delimiter));
          const whole = lines.join(end) + (last ? end : '');
          expect(await read(...cutUp(whole, cuts))).toEqual([head, ...rows]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('reports the line on which a record begins, also after one of several lines', async () => {
    const records = await Array.fromAsync(readCsv(['a,b\r\n"1\r\n1","2\n2"\r\n\r\n3,4\n']));
    expect(records.flat().map(({ line, fields }) => [line, fields.length])).toEqual([
      [1, 2],
      [2, 2],
      [6, 2],
    ]);
  });

  test.each([
    ['', []],
    ['\r\n\n', []],
    ['\uFEFFa,b', [['a', 'b']]],
    ['a\n\n""\n', [['a'], ['']]],
    [
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      'a,b\n,\n',
      [
        ['a', 'b'],
        ['', ''],
      ],
    ],
    [
      'a,b\nx"y,"z"',
      [
        ['a', 'b'],
        ['x"y', 'z'],
      ],
    ],
    [
      'a;b,c;d\n1;2;3',
      [
        ['a', 'b,c', 'd'],
        ['1', '2', '3'],
      ],
    ],
    [
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
  ])('%j', async (whole, expected) => {
    expect(await read(whole)).toEqual(expected);
    expect(await read(...whole.split(''))).toEqual(expected);
  });

  test('is refused with the line of the error if invalid', async () => {
    expect(await refusal('a,b\n"1"x,2')).toBe('line 2: there is text after a closing quote');
    expect(await refusal('a,b\n1,"2\n3,4\n')).toBe('line 2: a quote is not closed');
    expect(await refusal('a,b\n', 'x'.repeat(600_000), 'x'.repeat(600_000))).toContain(
      'line 2: a field has more than 1000000 characters',
    );
    expect(await refusal('a,b\n', ','.repeat(20_000))).toContain('more than 10000 fields');
  });

  test('delimiters within quotes do not count', () => {
    expect(delimiterOf('"a,b,c,d";e;f\n1,2,3,4')).toBe(';');
    expect(delimiterOf('one')).toBe(',');
  });
});
