/** The style of the sources, as far as a search can check it. */
import { describe, expect, test } from 'bun:test';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dir, '..');
const SOURCE_LINES_MAX = 300;

interface SourceFile {
  /** Relative to the checkout. */
  path: string;
  lines: string[];
}

async function read(patterns: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const pattern of patterns) {
    for await (const path of new Bun.Glob(pattern).scan({ cwd: root, dot: true })) {
      if (path.includes('node_modules/')) continue;
      const text = await Bun.file(join(root, path)).text();
      files.push({ path, lines: text.split('\n') });
    }
  }
  return files.sort((a, b) => a.path.localeCompare(b.path));
}

const code = await read(['{src,tests,scripts,bench,clients}/**/*.{ts,tsx}']);
const written = await read([
  '{src,tests,scripts,bench,clients,docs,bin,.ci}/**/*.{ts,tsx,mjs,py,md,json,yaml,yml,sh,html,css,sql,toml}',
  '{bin,.ci}/*',
  '*.{json,md,toml,yaml,yml}',
  '.*.json',
]);
const source = code.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.d.ts'));

/** `path:line: text` of every line that matches. */
function matches(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
    ),
  );
}

/** Joined from pieces, so that this file does not find itself. */
function words(...pieces: string[]): string {
  return pieces.map((piece) => piece.replace('-', '')).join('|');
}

describe('the sources', () => {
  test('are found', () => {
    expect(source.length).toBeGreaterThan(0);
    expect(written.length).toBeGreaterThan(code.length);
  });

  test('leave no work for later', () => {
    const notes = new RegExp(`\\b(?:${words('TO-DO', 'FIX-ME', 'XX-X', 'HA-CK')})\\b`);
    expect(matches(code, notes)).toEqual([]);
  });

  test('skip no test', () => {
    const off = new RegExp(
      `\\b(?:test|it|describe)(?:\\.\\w+)*\\.(?:${words('on-ly', 'sk-ip', 'to-do', 'fail-ing')})\\b`,
    );
    expect(matches(code, off)).toEqual([]);
  });

  test('silence no check', () => {
    const silenced = new RegExp(
      words('@ts-ignore', '@ts--nocheck', 'eslint--disable', 'oxlint--disable'),
    );
    expect(matches(code, silenced)).toEqual([]);
    // A test of types expects errors: tsc fails if the expected error does not occur.
    const others = code.filter(({ path }) => path !== 'tests/db/prepared-writes.test.ts');
    expect(matches(others, new RegExp(words('@ts--expect-error')))).toEqual([]);
  });

  test('print from the command line alone', () => {
    const others = source.filter(({ path }) => !path.startsWith('src/cli/'));
    expect(matches(others, /\bconsole\.\w+/)).toEqual([]);
  });

  test('have no file that is too long', () => {
    const long = source
      .filter(({ lines }) => lines.length > SOURCE_LINES_MAX)
      .map(({ path, lines }) => `${path}: ${lines.length} lines`);
    expect(long).toEqual([]);
  });

  test('export by name, without enums, decorators and namespaces', () => {
    const forbidden =
      /^\s*(?:export default\b|(?:export )?(?:const )?enum \w|(?:export )?namespace \w|@\w+\()/;
    expect(matches(source, forbidden)).toEqual([]);
  });

  test('import with the file extension', () => {
    const bare = /\bfrom '\.{1,2}\/[^']*(?<!\.(?:ts|tsx|json|css|html|svg|txt|md))'/;
    expect(matches(code, bare)).toEqual([]);
  });
});

describe('the files of the checkout', () => {
  test("contain no path of a developer's machine", () => {
    const folders = new RegExp(`(?<![\\w.:/-])/(?:${words('wo-rk', 'ro-ot', 'home/\\w+')})/`);
    expect(matches(written, folders)).toEqual([]);
  });

  test('pin packages of the public registry', () => {
    const lock = written.filter(({ path }) => path === 'package-lock.json');
    const elsewhere = /"resolved": "(?!https:\/\/registry\.npmjs\.org\/)/;
    expect(lock.length).toBe(1);
    expect(matches(lock, elsewhere)).toEqual([]);
  });
});
