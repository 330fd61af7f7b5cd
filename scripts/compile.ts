/**
 * Compiles the product with its runtime into one file that needs nothing installed. `npm ci` runs this, and bin/zastava
 * runs the file until a source changes.
 * Usage: compile.ts
 */
import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const root = join(import.meta.dir, '..');
/** The file that bin/zastava runs. */
export const installedFile = join(root, 'dist/zastava');
/** Entry points of threads, which nothing imports; src/lib/compiled.ts finds them. */
const workers = [
  'src/db/copy-worker.ts',
  'src/catalogue/file-worker.ts',
  'src/http/body/worker.ts',
  'src/chat/context/tokens-worker.ts',
  'src/trust/rank/worker.ts',
  'src/trust/graph/import/worker.ts',
];

/**
 * Compiles into `outfile`, and replaces it atomically; the old file may be running.
 * @throws AggregateError of the errors in the sources
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
        // To find packages of the AI SDK that the operator installed.
        autoloadPackageJson: true,
        // No settings and no code from files of the current folder.
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
      // Halves the time of a start.
      bytecode: true,
      format: 'esm',
      minify: { syntax: true },
      sourcemap: 'inline',
    });
    // The time at which the sources were read: a source that was saved since then is newer.
    await utimes(fresh, startedAt, startedAt);
    await rename(fresh, outfile);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) await compile(installedFile);
