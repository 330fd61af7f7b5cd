/** The checker of import directions, on small trees with one mistake each. */
import { describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readSource } from '../scripts/imports/source.ts';
import { findViolations } from '../scripts/imports/violations.ts';

/** A tree without a mistake; each test adds or replaces files. */
const good: Record<string, string> = {
  'lib/errors.ts': 'export const one = 1;',
  'db/index.ts': `export { one } from '../lib/errors.ts';`,
  'ledger/index.ts': `export { rule } from './rules.ts';`,
  'ledger/rules.ts': `import { one } from '../lib/errors.ts';\nexport const rule = one;`,
  'users/index.ts': `export { one } from '../db/index.ts';`,
  'chat/index.ts': `export { rule } from '../ledger/index.ts';`,
  'providers/spec.ts': 'export interface Spec { a: string }',
  'providers/shared/http.ts': 'export const post = () => fetch("http://a");',
  'providers/one/index.ts': `import type { Spec } from '../spec.ts';\nimport { post } from '../shared/http.ts';\nexport const one = (spec: Spec) => [spec, post];`,
  'providers/two/messages.ts': 'export const convert = (a: number) => a;',
  'providers/two/provider.ts': 'export const call = () => fetch("http://a");',
  'providers/routing/pool.ts': `import { one } from '../registry.ts';\nexport const pool = [one];`,
  'providers/registry.ts': `export { one } from './one/index.ts';`,
  'providers/index.ts': `export { one } from './registry.ts';`,
  'config/index.ts': 'export const port = process.env.PORT;',
  'app.ts': `export { one } from './users/index.ts';`,
  'serve.ts': `export { one } from './app.ts';`,
  'cli/run.ts': `export { one } from '../serve.ts';`,
  'main.ts': `import './cli/run.ts';\nprocess.exit(0);`,
};

function violationsWith(changes: Record<string, string>): string[] {
  const files = Object.entries({ ...good, ...changes });
  return findViolations(files.map(([path, text]) => readSource(path, text))).map(
    ({ path, line, message }) => `${path}:${line} ${message}`,
  );
}

test('a good tree passes', () => {
  expect(violationsWith({})).toEqual([]);
});

const mistakes: [what: string, changes: Record<string, string>, expected: string][] = [
  [
    'a forbidden direction',
    { 'db/query.ts': `\n\nimport { rule } from '../ledger/index.ts';` },
    'db/query.ts:3 db may not import ledger',
  ],
  [
    'the same by import type',
    { 'lib/a.ts': `import type { rule } from '../ledger/index.ts';` },
    'lib/a.ts:1 lib may not import ledger; it may import nothing',
  ],
  [
    'the same by export from',
    { 'lib/a.ts': `export * from '../db/index.ts';` },
    'lib/a.ts:1 lib may not import db',
  ],
  [
    'the same by import()',
    { 'lib/a.ts': `const db = await import('../db/index.ts');` },
    'lib/a.ts:1 lib may not import db',
  ],
  [
    'the same in a type',
    { 'lib/a.ts': `type D = typeof import('../db/index.ts');` },
    'lib/a.ts:1 lib may not import db',
  ],
  [
    'a file behind an index',
    { 'chat/a.ts': `import { rule } from '../ledger/rules.ts';` },
    'chat/a.ts:1 ledger/rules.ts belongs to ledger: import ledger/index.ts',
  ],
  [
    'another dialect',
    { 'providers/two/a.ts': `import { one } from '../one/index.ts';` },
    'providers/two/a.ts:1 providers/two/a.ts may import its own folder',
  ],
  [
    'the registry from a dialect',
    { 'providers/two/a.ts': `import { one } from '../registry.ts';` },
    'providers/two/a.ts:1 providers/two/a.ts may import its own folder',
  ],
  [
    'how calls are routed from a dialect',
    { 'providers/two/a.ts': `import { pool } from '../routing/pool.ts';` },
    'providers/two/a.ts:1 providers/two/a.ts may import its own folder',
  ],
  [
    'the process',
    { 'users/a.ts': `export const home = process.env['HOME'];` },
    'users/a.ts:1 process.env',
  ],
  ['the environment', { 'lib/a.ts': 'export const { HOME } = Bun.env;' }, 'lib/a.ts:1 Bun.env'],
  [
    'the process as an import',
    { 'lib/a.ts': `import { env } from 'node:process';` },
    'lib/a.ts:1 node:process',
  ],
  [
    'the clock in a pure file',
    { 'providers/two/messages.ts': 'export const convert = () => Date.now();' },
    'providers/two/messages.ts:1 Date.now: this file is pure',
  ],
  [
    'the network in a pure file',
    { 'ledger/rules.ts': `export const rule = () =>\n  fetch('http://a');` },
    'ledger/rules.ts:2 fetch: this file is pure',
  ],
  [
    'the database in a pure file',
    { 'ledger/rules.ts': `import { one } from '../db/index.ts';\nexport const rule = one;` },
    'ledger/rules.ts:1 ledger/rules.ts is pure',
  ],
  [
    'a circle, even of types',
    {
      'db/a.ts': `import type { B } from './b.ts';\nexport type A = B;`,
      'db/b.ts': `import type { A } from './a.ts';\nexport type B = A;`,
    },
    'db/b.ts:1 imports form a cycle: db/a.ts -> db/b.ts -> db/a.ts',
  ],
  [
    'a file that is not there',
    { 'lib/a.ts': `import './b.ts';` },
    'lib/a.ts:1 ./b.ts is not a file of src',
  ],
  [
    'a part that the table does not know',
    { 'misc/a.ts': `import '../lib/errors.ts';` },
    'misc/a.ts:1 misc has no line in the table of imports',
  ],
];

describe('is found:', () => {
  test.each(mistakes)('%s', (_, changes, expected) => {
    const found = violationsWith(changes);
    expect(found).toHaveLength(1);
    expect(found[0]).toStartWith(expected);
  });
});

test('the command prints what is wrong and fails', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'zastava-imports-'));
  try {
    const run = async (files: Record<string, string>) => {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(directory, path)), { recursive: true });
        await Bun.write(join(directory, path), text);
      }
      const script = join(import.meta.dir, '../scripts/check-imports.ts');
      const child = Bun.spawn([process.execPath, script, directory], { stdout: 'pipe' });
      const output = await new Response(child.stdout).text();
      return { code: await child.exited, output };
    };
    expect((await run(good)).code).toBe(0);
    const { code, output } = await run({ 'lib/a.ts': `import '../db/index.ts';` });
    expect(code).toBe(1);
    expect(output).toContain('src/lib/a.ts:1  lib may not import db; it may import nothing');
  } finally {
    await rm(directory, { recursive: true });
  }
});
