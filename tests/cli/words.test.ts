/** How the command line parses values and formats them. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { expiryArgument } from '../../src/cli/arguments.ts';
import { pairs, printable, table } from '../../src/cli/table.ts';
import { shellWord } from '../../src/cli/format.ts';

describe('an expiry', () => {
  test.each([
    ['2030-12-31', '2030-12-31T23:59:59.999Z'],
    ['2028-02-29', '2028-02-29T23:59:59.999Z'],
    ['2030-12-31T18:00Z', '2030-12-31T18:00:00.000Z'],
    ['2030-12-31T18:00:00+03:00', '2030-12-31T15:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(new Date(expiryArgument(text)).toISOString()).toBe(moment);
  });

  test.each(['2030-02-29', '2030-13-01', '2030-1-1', '31.12.2030', '2030-12-31T18:00', '2030', ''])(
    '%s is refused',
    (text) => {
      expect(() => expiryArgument(text)).toThrow('such as 2030-12-31');
    },
  );
});

describe('a shell', () => {
  test('reads any quoted text back as one word', async () => {
    const text = fc.string({ unit: 'binary' }).filter((value) => !/\0/.test(value));
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const child = Bun.spawn(['sh', '-c', `printf '%s' ${shellWord(value)}`]);
        expect(await new Response(child.stdout).text()).toBe(value.toWellFormed());
      }),
      { numRuns: 30 },
    );
  });
});

describe('a table', () => {
  test('has columns as wide as needed, in any script', () => {
    const rows = [
      { name: 'ivan', amount: '1 000.00 ₽' },
      { name: '世界', amount: '-5.00 ₽' },
    ];
    const text = table(
      [
        ['NAME', (row: (typeof rows)[number]) => row.name],
        ['AMOUNT', ({ amount }) => amount, 'right'],
      ],
      rows,
    );
    expect(text).toBe('NAME      AMOUNT\nivan  1 000.00 ₽\n世界     -5.00 ₽');
  });

  test('without rows has only its headings', () => {
    expect(table([['NAME', String]], [])).toBe('NAME');
  });

  test('escapes control characters of users', () => {
    expect(printable('a\u001b[2Jb\nc\u202ed')).toBe('a\\u001b[2Jb\\u000ac\\u202ed');
    expect(pairs({ login: 'ivan', 'a longer name': 'x\n' })).toBe(
      'login:         ivan\na longer name: x\\u000a',
    );
  });
});
