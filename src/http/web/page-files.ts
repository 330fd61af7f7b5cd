import { buildPage } from './build.ts';

/** A file of the page: unencoded, and by names of encodings. */
export interface PageFile {
  plain: Blob;
  encoded: Readonly<Record<string, Blob>>;
}

/**
 * The files of the page by their paths below `/app/`. From sources, the page is built now, without encodings. In the
 * compiled executable, another module that contains the files replaces this one: scripts/compile.ts.
 */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const files = await buildPage();
  return new Map(files.map(({ path, bytes }) => [path, { plain: new Blob([bytes]), encoded: {} }]));
}
