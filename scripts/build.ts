/** Compiles the product with its runtime into one file, `dist/zastava`, that needs nothing installed. */
import { join } from 'node:path';

const root = join(import.meta.dir, '..');
/** Threads begin in files of their own, which nothing imports: src/lib/worker-file.ts finds them. */
const workers = ['src/trust/rank/worker.ts', 'src/trust/graph/import/worker.ts'];
const result = await Bun.build({
  entrypoints: ['src/main.ts', ...workers].map((file) => join(root, file)),
  root,
  compile: { outfile: join(root, 'dist/zastava') },
  minify: { syntax: true },
  sourcemap: 'inline',
});
for (const log of result.logs) console.error(log.message);
if (result.success) console.log('wrote dist/zastava: start it with `dist/zastava serve`');
else process.exitCode = 1;
