/** Where the files of a compiled executable lie (`npm run build`). */
const COMPILED_ROOT = '/$bunfs/root/';

/**
 * The address of a worker's file, in the checkout and in the compiled executable, where the build puts every
 * worker that it is told of: see scripts/build.ts.
 * @param path below src/, without the extension
 */
export function workerFile(path: string): URL {
  if (!import.meta.path.startsWith(COMPILED_ROOT)) return new URL(`../${path}.ts`, import.meta.url);
  return new URL(`file://${COMPILED_ROOT}src/${path}.js`);
}
