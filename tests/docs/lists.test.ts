/** The documents that list all tables of the database, all settings, all fields of a price, or all decisions. */
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { settingNames } from '../../src/config/config.ts';
import { priceFieldNames } from '../../src/lib/price-fields.ts';
import { providerKinds } from '../../src/providers/index.ts';
import { openTestDatabase } from '../support/databases.ts';

const read = (path: string) => Bun.file(`${import.meta.dir}/../../docs/${path}`).text();

/** The tables of the schema; documents name those of the crawl together. */
async function tablesOfTheSchema(): Promise<string[]> {
  await using database = await openTestDatabase('sqlite');
  const rows = await database.db.query<{ name: string }>(
    `SELECT name FROM sqlite_master
     WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_fts_%'`,
  );
  return rows.map(({ name }) => name.replace(/^crawl_.*/, 'crawl_…'));
}

test('architecture.md names every table', async () => {
  const tables = await tablesOfTheSchema();
  expect(tables.length).toBeGreaterThan(20);
  const text = await read('architecture.md');
  expect(tables.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test.each(['catalogue.md', 'providers.md'])('%s names every kind of provider', async (path) => {
  const text = await read(path);
  expect(providerKinds.filter((kind) => !text.includes(`\`${kind}\``))).toEqual([]);
});

test('operating.md has every setting in its table, and no other', async () => {
  const [, section = ''] = /\n## Settings\n([\s\S]*?)\n## /.exec(await read('operating.md')) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  // `…_REGION` stands for a name that begins like the first one of its row.
  const named = rows.flatMap((row) => {
    const names = [...(row.split(' | ')[0] ?? '').matchAll(/`([A-Z0-9_…]+)`/g)].map(
      ([, n = '']) => n,
    );
    const beginning = names[0]?.replace(/_BUCKET$/, '') ?? '';
    return names.map((name) => name.replace('…', beginning));
  });
  const ours = named.filter((name) => name.startsWith('ZASTAVA_'));
  expect(ours.toSorted()).toEqual([...settingNames].toSorted());
});

test('catalogue.md has every price of a model in its table of fields, and no other', async () => {
  const text = await read('catalogue.md');
  const rows = text.split('\n').filter((line) => /^\| `(?:cost|long)_/.test(line));
  const fields = rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  );
  expect(fields).toEqual([...priceFieldNames, 'cost_hours', 'cost_tokens_per']);
});

test('decisions/README.md lists every record once', async () => {
  const index = await read('decisions/README.md');
  const listed = [...index.matchAll(/\]\((\d{4}-[^)]+\.md)\)/g)].map(([, name = '']) => name);
  const records = readdirSync(`${import.meta.dir}/../../docs/decisions`);
  expect(listed.toSorted()).toEqual(records.filter((name) => name !== 'README.md').toSorted());
});
