/**
 * Compiles the product with its runtime into one file that needs nothing installed.
 * Usage: build.ts [FILE]; `dist/zastava` by default
 */
import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const [outfile = join(root, 'dist/zastava')] = process.argv.slice(2);
/** Threads begin in files of their own, which nothing imports: src/lib/worker-file.ts finds them. */
const workers = ['src/trust/rank/worker.ts', 'src/trust/graph/import/worker.ts'];
const result = await Bun.build({
  entrypoints: ['src/main.ts', ...workers].map((file) => join(root, file)),
  root,
  compile: { outfile },
  minify: { syntax: true },
  sourcemap: 'inline',
});
for (const log of result.logs) console.error(log.message);
if (result.success) console.log(`wrote ${outfile}: start it with \`${outfile} serve\``);
else process.exitCode = 1;
