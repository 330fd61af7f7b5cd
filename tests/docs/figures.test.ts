/** Tables of documents that are made from bench/results.md: `npm run bench` writes both. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { documentsWithFigures, withFigures } from '../../bench/support/figures.ts';
import { Results, resultsFile } from '../../bench/support/results.ts';

const root = join(import.meta.dir, '../..');
const results = new Results(await Bun.file(resultsFile).text());

describe.each(documentsWithFigures)('%s', (path) => {
  test('has the figures of the last run', async () => {
    const text = await Bun.file(join(root, path)).text();
    expect(text).toBe(withFigures(path, text, results));
  });
});
