/** The documents that list all tables of the database, all settings, all fields of a price, or all decisions. */
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { settingNames } from '../../src/config/config.ts';
import { priceFieldNames } from '../../src/lib/units.ts';
import { providerKinds } from '../../src/providers/index.ts';
import { openTestDatabase } from '../support/databases.ts';

const read = (path: string) => Bun.file(`${import.meta.dir}/../../docs/${path}`).text();

/** Each table with the first column of its primary key; null for the index of the search. */
async function tablesOfTheSchema(): Promise<{ name: string; key: string | null }[]> {
  await using database = await openTestDatabase('sqlite');
  const rows = await database.db.query<{ name: string; key: string | null }>(
    `SELECT name, (SELECT c.name FROM pragma_table_info(t.name) c WHERE c.pk = 1) AS key
     FROM sqlite_master t WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_fts_%'`,
  );
  // Documents name the tables of the crawl together.
  return rows.map(({ name, key }) => ({ name: name.replace(/^crawl_.*/, 'crawl_…'), key }));
}

test('architecture.md names every table, scale.md those that are not keyed by user', async () => {
  const tables = await tablesOfTheSchema();
  expect(tables.length).toBeGreaterThan(20);
  const names = tables.map(({ name }) => name);
  const others = tables.filter(({ key }) => key !== 'user_id').map(({ name }) => name);
  const missing = async (path: string, wanted: string[]) => {
    const text = await read(path);
    return wanted.filter((name) => !text.includes(`\`${name}\``));
  };
  expect(await missing('architecture.md', names)).toEqual([]);
  expect(await missing('scale.md', others)).toEqual([]);
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
