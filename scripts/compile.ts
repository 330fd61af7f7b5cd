/**
 * Compiles the product with its runtime into one file that needs nothing installed. `npm ci` runs this, and bin/zastava
 * runs the file until a source changes.
 * Usage: compile.ts
 */
import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildPage } from '../src/http/web/build.ts';
import { commonPasswords } from '../src/users/common-passwords-list.ts';

const root = join(import.meta.dir, '..');
/** The file that bin/zastava runs. */
export const installedFile = join(root, 'dist/zastava');
/** Entry points of threads: no file imports them; src/lib/compiled.ts finds them. */
const workers = [
  'src/db/copy-worker.ts',
  'src/catalogue/file-worker.ts',
  'src/http/body/worker.ts',
  'src/chat/audio/duration-worker.ts',
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
        // For finding packages of the AI SDK that the operator installed.
        autoloadPackageJson: true,
        // Takes no settings and no code from files of the current folder.
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
      // Halves the start time.
      bytecode: true,
      format: 'esm',
      // Lazily imported code becomes separate files: with a single file, a server would keep all of it in memory.
      splitting: true,
      minify: { syntax: true },
      sourcemap: 'inline',
      plugins: [await embeddedPage(join(directory, 'page')), embeddedPasswords],
    });
    // The time at which the sources were read: a source saved after that is newer than the executable.
    await utimes(fresh, startedAt, startedAt);
    await rename(fresh, outfile);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The encodings in which a file is stored, with their file extensions; the first that a browser accepts is sent. */
const encodings = [
  { name: 'br', extension: '.br', encode: brotli },
  { name: 'gzip', extension: '.gz', encode: (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }) },
] as const;

function brotli(bytes: Uint8Array): Uint8Array {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
}

/** Puts the files of the page into the executable, instead of the module that builds them. */
async function embeddedPage(directory: string): Promise<Bun.BunPlugin> {
  const imports: string[] = [];
  const embed = async (path: string, bytes: Uint8Array): Promise<string> => {
    const name = `file${imports.length}`;
    const stored = join(directory, path);
    imports.push(`import ${name} from ${JSON.stringify(stored)} with { type: 'file' };`);
    await Bun.write(stored, bytes);
    return `Bun.file(${name})`;
  };
  const entries: string[] = [];
  for (const { path, bytes } of await buildPage()) {
    const plain = await embed(path, bytes);
    const encoded: string[] = [];
    for (const { name, extension, encode } of encodings) {
      encoded.push(`${name}: ${await embed(path + extension, encode(bytes))}`);
    }
    entries.push(
      `[${JSON.stringify(path)}, { plain: ${plain}, encoded: { ${encoded.join(', ')} } }]`,
    );
  }
  const files = `new Map([${entries.join(', ')}])`;
  const contents = `${imports.join('\n')}\nconst files = ${files};\nexport const pageFiles = async () => files;\n`;
  return {
    name: 'embedded page',
    setup(build) {
      build.onLoad({ filter: /\/src\/http\/web\/page-files\.ts$/ }, () => ({
        contents,
        loader: 'js',
      }));
    },
  };
}

/** Puts the list of common passwords into the executable, instead of the package that has it. */
const embeddedPasswords: Bun.BunPlugin = {
  name: 'embedded passwords',
  setup(build) {
    build.onLoad({ filter: /\/src\/users\/common-passwords-list\.ts$/ }, () => ({
      contents: `export const commonPasswords = () => ${JSON.stringify(commonPasswords())};`,
      loader: 'js',
    }));
  },
};

if (import.meta.main) await compile(installedFile);
