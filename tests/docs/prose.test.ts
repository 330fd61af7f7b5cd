/** Links, named paths and line lengths of the documents. */
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';

const root = resolve(import.meta.dir, '../..');
const COLUMNS_MAX = 120;

const markdownIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
/** Decision records describe their day: things that they name may be gone, and they are not rewrapped. */
const records = markdownIn('docs/decisions');
const documents = [...markdownIn('.'), ...markdownIn('docs')];
const texts = new Map<string, string>();
for (const path of [...documents, ...records])
  texts.set(path, await Bun.file(join(root, path)).text());

/** Files made by a build, or in the data directory. */
const madeLater = /^(?:dist\/|trust\/releases\b)/;

/** Without the text between fences; lines keep their numbers. */
function proseOf(path: string): string {
  return (texts.get(path) ?? '').replace(/^ *```[\s\S]*?^ *```$/gm, (block) =>
    block.replace(/[^\n]+/g, ''),
  );
}

/** The anchor of a heading. */
function anchorsOf(path: string): string[] {
  return [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), file));
  if (!existsSync(join(root, path))) return true;
  return anchor !== undefined && !anchorsOf(path).includes(anchor);
}

describe.each([...texts.keys()])('%s', (path) => {
  test('has links that resolve', () => {
    const links = [...proseOf(path).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)];
    const broken = links.map(([, link = '']) => link).filter((link) => isBroken(path, link));
    expect(broken).toEqual([]);
  });
});

describe.each(documents)('%s', (path) => {
  test('names files and folders that exist', () => {
    const named = [...proseOf(path).matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)];
    const folders = [...readdirSync(root), ...readdirSync(join(root, 'src'))];
    const missing = named
      .map(([, file = '']) => file)
      .filter((file) => folders.includes(file.split('/')[0] ?? '') && !madeLater.test(file))
      .filter((file) => !/\b(?:NAME|NNN|GROUP)\b/.test(file))
      .filter((file) => !existsSync(join(root, file)) && !existsSync(join(root, 'src', file)));
    expect(missing).toEqual([]);
  });

  test(`is wrapped at ${COLUMNS_MAX} columns, except tables and code`, () => {
    const lines = proseOf(path).split('\n');
    const long = lines.flatMap((line, index) =>
      line.length > COLUMNS_MAX && !line.startsWith('|') ? [`${path}:${index + 1}`] : [],
    );
    expect(long).toEqual([]);
  });
});
