/**
 * Prints every import of `src` that the table (imports/table.ts) does not allow; exit code 1 if any.
 * Usage: check-imports.ts [folder]
 */
import { join, resolve } from 'node:path';
import { readSource, type Source } from './imports/source.ts';
import { findViolations } from './imports/violations.ts';

const root = resolve(process.argv[2] ?? join(import.meta.dir, '../src'));
const sources: Source[] = [];
for await (const path of new Bun.Glob('**/*.{ts,tsx}').scan(root)) {
  const name = path.replaceAll('\\', '/');
  sources.push(readSource(name, await Bun.file(join(root, path)).text()));
}
sources.sort((a, b) => a.path.localeCompare(b.path));

const violations = findViolations(sources);
for (const { path, line, message } of violations) {
  console.log(`${join('src', path)}:${line}  ${message}`);
}
console.log(`${sources.length} files, ${violations.length} forbidden imports`);
process.exit(violations.length > 0 || sources.length === 0 ? 1 : 0);
