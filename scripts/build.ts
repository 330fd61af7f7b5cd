/**
 * Compiles the product with its runtime into one file that needs nothing installed, and writes beside it
 * (`FILE.cdx.json`) what it is made of.
 * Usage: build.ts [FILE]; `dist/zastava` by default
 */
import { join } from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';

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
if (result.success) {
  console.log(`wrote ${outfile}: start it with \`${outfile} serve\``);
  const bill = `${outfile}.cdx.json`;
  await Bun.write(bill, await billOfMaterials());
  console.log(`wrote ${bill}: what it is made of (CycloneDX)`);
} else process.exitCode = 1;
