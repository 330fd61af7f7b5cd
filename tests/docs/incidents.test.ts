/** The names in the tables of docs/operating.md exist in the sources that write them. */
import { expect, test } from 'bun:test';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dir, '../..');

async function sourceOf(pattern: string): Promise<string> {
  const files = await Array.fromAsync(new Bun.Glob(pattern).scan(root));
  return (await Promise.all(files.map((file) => Bun.file(join(root, file)).text()))).join('\n');
}

/** Everything between backticks. `commands.test.ts` compares command lines with the commands. */
function namesIn(section: string): string[] {
  const names = [...section.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !name.startsWith('zastava '));
}

/** A name is a separate word, an ending `: …` stands for more, and a name with a value has both. */
function isIn(source: string, name: string): boolean {
  const parts = name.replace(/^GET |: …$/g, '').split('=');
  return parts.every((part) =>
    new RegExp(`(?<![\\w-])${RegExp.escape(part)}(?![\\w-])`).test(source),
  );
}

const manual = await Bun.file(join(root, 'docs/operating.md')).text();
const source = await sourceOf('src/**/*.ts');

test.each(['Health, metrics, logs', 'Incidents', 'Security events'])(
  'operating.md, %s: each line, field, metric, path and event exists',
  (title) => {
    const [, section = ''] =
      new RegExp(`\\n## ${title}\\n([\\s\\S]*?)(?=\\n## )`).exec(manual) ?? [];
    const withoutBlocks = section.replaceAll(/^```[\s\S]*?^```/gm, '');
    const names = namesIn(withoutBlocks);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !isIn(source, name))).toEqual([]);
  },
);

test('finds a name that nothing writes', () => {
  expect(isIn(source, 'trust job started')).toBe(true);
  expect(isIn(source, 'database outage: …')).toBe(true);
  expect(isIn(source, 'trust job begun')).toBe(false);
  expect(isIn(source, 'provider_m')).toBe(false);
});
