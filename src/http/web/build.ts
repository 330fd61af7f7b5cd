import { join } from 'node:path';

/** The sources of the page: the folder `web` of the checkout. */
const entry = join(import.meta.dir, '../../../web/index.html');

/** A file of the page, as it is served below `/app/`. */
export interface BuiltFile {
  /** `index.html`, or a name with a hash of its content. */
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Bundles the page. Each area is a chunk of its own, which the browser loads when it is opened.
 * @throws AggregateError of the errors in the sources
 */
export async function buildPage(): Promise<BuiltFile[]> {
  const hashed = 'assets/[name]-[hash].[ext]';
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    publicPath: '/app/',
    naming: { entry: '[name].[ext]', chunk: hashed, asset: hashed },
    splitting: true,
    minify: true,
    // Otherwise each element is made with arguments for debugging.
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return Promise.all(
    outputs.map(async (output) => ({
      path: output.path.replace(/^\.\//, ''),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
}
