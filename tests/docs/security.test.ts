/** The proofs that the security review names exist. */
import { expect, test } from 'bun:test';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dir, '../..');
const review = await Bun.file(join(root, 'docs/security.md')).text();

/** Rows of the tables, without their heads. */
const rows = review
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:point|flaw)/.test(line));
/** `tests/…` between backticks. */
const named = [
  ...new Set([...review.matchAll(/`(tests\/[^`]+\.ts)`/g)].map(([, path = '']) => path)),
];

test('every test that the review names exists', async () => {
  expect(named.length).toBeGreaterThan(40);
  const there = await Promise.all(named.map((path) => Bun.file(join(root, path)).exists()));
  expect(named.filter((_, index) => !there[index])).toEqual([]);
});

test('every quoted test title is in the file that it is quoted from', async () => {
  const quotes = [...review.matchAll(/`(tests\/[^`]+\.ts)` “([^”]+)”/g)];
  expect(quotes.length).toBeGreaterThan(20);
  const missing: string[] = [];
  for (const [, path = '', title = ''] of quotes) {
    const file = Bun.file(join(root, path));
    if (!(await file.exists())) continue;
    // Titles may contain an apostrophe that the source escapes or writes typographically.
    const text = (await file.text()).replaceAll("\\'", "'");
    if (!text.includes(title)) missing.push(`${path}: ${title}`);
  }
  expect(missing).toEqual([]);
});

test('every point has a proof, or says what is missing', () => {
  expect(rows.length).toBeGreaterThan(60);
  const bare = rows.filter(
    (row) =>
      !/`(?:tests|src|docs|deploy|bin)\/|\bnot met\b|\bpartly\b|\bnot applicable\b|\boperator\b|`package/i.test(
        row,
      ),
  );
  expect(bare).toEqual([]);
});
