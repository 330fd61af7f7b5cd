/** A directory for one test, graphs in text form, and how to compare the resulting releases. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GraphStore } from '../../../src/trust/graph/graph-store.ts';
import type { ImportLimits } from '../../../src/trust/graph/import/limits.ts';
import type { Release } from '../../../src/trust/graph/release/release.ts';
import { neighbours, type Rows } from '../../../src/trust/graph/rows.ts';
import { buildGraph } from '../../support/link-graph.ts';

export interface World {
  directory: string;
  store: GraphStore;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'zastava-graph-'));
  return {
    directory,
    store: new GraphStore(join(directory, 'trust')),
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true });
    },
  };
}

/** So small that a handful of edges needs several runs, blocks, buckets, pieces and workers. */
export const tinyLimits: ImportLimits = {
  strayBytes: 1024,
  blockBytes: 24,
  pieceEdges: 3,
  bucketShift: 1,
  workers: 2,
};

export interface TextGraph {
  vertices: string;
  edges: string;
}

/** Writes both files and returns the arguments of `importGraph`. */
export async function written(
  { directory }: World,
  graph: TextGraph,
  ending: '.txt' | '.txt.gz' = '.txt',
): Promise<TextGraph> {
  const paths = {
    vertices: join(directory, `vertices${ending}`),
    edges: join(directory, `edges${ending}`),
  };
  const bytes = (text: string) => (ending === '.txt' ? text : Bun.gzipSync(Buffer.from(text)));
  await Bun.write(paths.vertices, bytes(graph.vertices));
  await Bun.write(paths.edges, bytes(graph.edges));
  return paths;
}

/** Sites that each link to the next and to the first; the first links to itself. */
export function ring(size: number): TextGraph {
  const ids = Array.from({ length: size }, (_, id) => id);
  const name = (id: number) => `com.site${String(id).padStart(5, '0')}`;
  return {
    vertices: ids.map((id) => `${id}\t${name(id)}\t1\n`).join(''),
    edges: ids
      .flatMap((id) => (id < size - 1 ? [0, id + 1] : [0]).map((to) => `${id}\t${to}\n`))
      .join(''),
  };
}

/** All rows as lists. */
export function rowLists(rows: Rows): number[][] {
  return Array.from({ length: rows.nodes }, (_, node) => [...neighbours(rows, node)]);
}

/** A release as plain values: names in order, rows in both directions. */
export function contents(release: Release): { names: string[]; out: number[][]; in: number[][] } {
  const nodes = Array.from({ length: release.nodes }, (_, node) => node);
  return {
    names: nodes.map((node) => release.nameOf(node)),
    out: nodes.map((node) => [...release.acceptors(node)]),
    in: nodes.map((node) => [...release.donors(node)]),
  };
}

/** All values of a column; undefined if the release lacks it. */
export function valuesOf(release: Release, name: string): number[] | undefined {
  const column = release.column(name);
  return column && Array.from({ length: column.length }, (_, node) => column.at(node));
}

/** The data of a graph built in memory, in the same form. */
export function expected(names: readonly string[], edges: readonly (readonly [number, number])[]) {
  const graph = buildGraph(
    names.length,
    Uint32Array.from(edges, ([from]) => from),
    Uint32Array.from(edges, ([, to]) => to),
  );
  return { names: [...names], out: rowLists(graph.out), in: rowLists(graph.in) };
}
