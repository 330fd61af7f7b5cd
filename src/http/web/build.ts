import { join } from 'node:path';
import type { BunPlugin } from 'bun';

/** The sources of the page: the folder `web` of the checkout. */
const entry = join(import.meta.dir, '../../../web/index.html');

/** A file of the page, as it is served below `/app/`. */
export interface BuiltFile {
  /** `index.html`, or a name with a hash of its content. */
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The package of the lexer is one file that ends by making an instance of each of its classes, so the bundler would
 * keep them all. The page needs only the lexer: without that end, the bundler drops the other classes.
 */
const lexerAlone: BunPlugin = {
  name: 'the lexer of marked alone',
  setup: (build) => {
    build.onLoad({ filter: /\bmarked\.esm\.js$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      const end = text.search(/var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/);
      const [, lexer] = /(\w+) as Lexer\b/.exec(text) ?? [];
      if (end === -1 || lexer === undefined)
        throw new Error('marked has changed: where does it end?');
      return { contents: `${text.slice(0, end)}export{${lexer} as Lexer};`, loader: 'js' };
    });
  },
};

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
    plugins: [lexerAlone],
    // Otherwise each element is created with arguments for debugging.
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return Promise.all(
    outputs.map(async (output) => ({
      path: output.path.replace(/^\.\//, ''),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
}
