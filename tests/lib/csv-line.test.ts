import { expect, test } from 'bun:test';
import { csvLine } from '../../src/lib/csv-line.ts';

test('a line of CSV quotes what needs it, and no cell of a user is a formula', () => {
  expect(csvLine(['a', 1.5, null, 'b,"c"\n'])).toBe('a,1.5,,"b,""c""\n"\r\n');
  expect(csvLine(['=1+1', '@x', '-x', -2])).toBe(`'=1+1,'@x,'-x,-2\r\n`);
});
