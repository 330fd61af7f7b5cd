/** Where the files of a compiled executable lie, in itself (scripts/build.ts). */
const COMPILED_ROOT = '/$bunfs/root/';

/** Whether this code runs in the compiled executable. */
export const isCompiled = import.meta.path.startsWith(COMPILED_ROOT);

/**
 * The address of a worker's file, in the checkout and in the compiled executable, where the build puts every
 * worker that it is told of: see scripts/build.ts.
 * @param path below src/, without the extension
 */
export function workerFile(path: string): URL {
  if (!isCompiled) return new URL(`../${path}.ts`, import.meta.url);
  return new URL(`file://${COMPILED_ROOT}src/${path}.js`);
}
