/**
 * Compiles the product with its runtime into one file that needs nothing installed. `npm ci` runs this, and
 * bin/zastava runs what came out for as long as no source changes.
 * Usage: compile.ts
 */
import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const root = join(import.meta.dir, '..');
/** What bin/zastava runs. */
export const installedFile = join(root, 'dist/zastava');
/** Threads begin in files of their own, which nothing imports: src/lib/compiled.ts finds them. */
const workers = [
  'src/db/copy-worker.ts',
  'src/trust/rank/worker.ts',
  'src/trust/graph/import/worker.ts',
];

/**
 * Compiles into `outfile`. What stood there is replaced at once, and may be running meanwhile.
 * @throws AggregateError of what is wrong in the sources
 */
export async function compile(outfile: string): Promise<void> {
  const startedAt = new Date();
  await mkdir(dirname(outfile), { recursive: true });
  const directory = await mkdtemp(`${outfile}-`);
  try {
    const fresh = join(directory, 'zastava');
    await Bun.build({
      entrypoints: ['src/main.ts', ...workers].map((file) => join(root, file)),
      root,
      compile: {
        outfile: fresh,
        // Packages of the AI SDK that the operator installed are found by their package.json.
        autoloadPackageJson: true,
        // Settings and code come from nowhere else: not from files of the folder that it is called in.
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
      // Translated ahead: a start takes half the time.
      bytecode: true,
      format: 'esm',
      minify: { syntax: true },
      sourcemap: 'inline',
    });
    // Not when it was written, but when its sources were read: one that was saved meanwhile is newer.
    await utimes(fresh, startedAt, startedAt);
    await rename(fresh, outfile);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) await compile(installedFile);
