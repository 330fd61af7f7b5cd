/** Link graphs drawn by hand, as files in the format of Common Crawl and as releases. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock.ts';
import { reverseName } from '../../../src/trust/graph/reversed-name.ts';
import { rankRelease, type GraphStore, type SeedLists } from '../../../src/trust/index.ts';

/** Which domain links to which. */
export type Links = readonly (readonly [from: string, to: string])[];

interface TrustParts {
  store: GraphStore;
  seeds: SeedLists;
}

/** Imports and ranks a graph, and makes it the current release. */
export async function makeRelease(
  { store, seeds }: TrustParts,
  name: string,
  links: Links,
): Promise<void> {
  await importLinks(store, name, links);
  await rankRelease(store, seeds, systemClock, { name, threads: 1 });
}

/** Imports a graph as a release that is not ranked yet. */
export async function importLinks(store: GraphStore, name: string, links: Links): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'zastava-links-'));
  try {
    await store.importGraph({ name, ...(await writeGraph(directory, links)) });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/**
 * Writes links in the format of Common Crawl.
 * @returns the paths of the two files
 */
export async function writeGraph(
  directory: string,
  links: Links,
): Promise<{ vertices: string; edges: string }> {
  const names = [...new Set(links.flat().map(reverseName))].sort();
  const ids = new Map(names.map((reversed, id) => [reverseName(reversed), id]));
  const id = (domain: string) => ids.get(domain) ?? 0;
  const pairs = links.map(([from, to]) => [id(from), id(to)] as const);
  const sorted = pairs.toSorted(([a, b], [c, d]) => a - c || b - d);
  const vertices = join(directory, 'vertices.txt');
  const edges = join(directory, 'edges.txt');
  await Bun.write(vertices, names.map((reversed, at) => `${at}\t${reversed}\t1\n`).join(''));
  await Bun.write(edges, sorted.map((pair) => `${pair.join('\t')}\n`).join(''));
  return { vertices, edges };
}

/** Domains that all link to one, and to each other in a ring. */
export function donorsOf(domain: string, count: number, prefix = 'donor'): [string, string][] {
  const donor = (number: number) => `${prefix}${number % count}.ru`;
  return Array.from({ length: count }, (_, number) => number).flatMap((number) => [
    [donor(number), domain],
    [donor(number), donor(number + 1)],
  ]);
}
