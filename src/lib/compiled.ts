/** The root of the files inside a compiled executable. */
const COMPILED_ROOT = '/$bunfs/root/';

export const isCompiled = import.meta.path.startsWith(COMPILED_ROOT);

/**
 * The URL of a worker's file, in the checkout or in the compiled executable; scripts/compile.ts lists the workers.
 * @param path below src/, without the extension
 */
export function workerFile(path: string): URL {
  if (!isCompiled) return new URL(`../${path}.ts`, import.meta.url);
  return new URL(`file://${COMPILED_ROOT}src/${path}.js`);
}
