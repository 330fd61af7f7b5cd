/** Compiles the product with its runtime into one file, `dist/zastava`, that needs nothing installed. */
import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const result = await Bun.build({
  entrypoints: [join(root, 'src/main.ts')],
  compile: { outfile: join(root, 'dist/zastava') },
  minify: { syntax: true },
  sourcemap: 'inline',
});
for (const log of result.logs) console.error(log.message);
if (result.success) console.log('wrote dist/zastava: start it with `dist/zastava serve`');
else process.exitCode = 1;
