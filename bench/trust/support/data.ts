import { join, resolve } from 'node:path';
import type { Graph } from '../../../src/trust/graph/rows.ts';
import { buildGraph, isTrustedByRule } from '../../../tests/support/link-graph.ts';

/**
 * Where the evaluation data lies: `ZASTAVA_EVALUATION_DATA`, or `../shared/data` beside the checkout.
 * It is not part of the project; docs/decisions/2026-11-28-how-the-trust-formula-was-tested.md says where the public gets
 * it.
 */
const folder =
  process.env['ZASTAVA_EVALUATION_DATA'] ?? resolve(import.meta.dir, '../../../../shared/data');

/** A graph of named domains, some of which have a quality from 0 to 1. */
export interface LabelledGraph {
  graph: Graph;
  names: string[];
  institutions: Uint32Array;
  labelled: Label[];
}

export interface Label {
  node: number;
  low: boolean;
  /** Links from institutions in the whole web: what a base counts is the institutions. */
  institutions: number | undefined;
}

/** Qualities below this are low: the task of measures is to tell them apart. */
const LOW_BELOW = 0.5;

/** The path of a data file, or undefined, with a word, when it is not there. */
export async function dataFile(name: string): Promise<string | undefined> {
  const path = join(folder, name);
  if (await Bun.file(path).exists()) return path;
  console.log(
    `skipped: ${name} is not there; docs/decisions/2026-11-28-how-the-trust-formula-was-tested.md says how to get it`,
  );
  return undefined;
}

async function lines(path: string): Promise<string[]> {
  const bytes = await Bun.file(path).bytes();
  const text = new TextDecoder().decode(path.endsWith('.gz') ? Bun.gunzipSync(bytes) : bytes);
  return text.trimEnd().split('\n');
}

export async function loadNews(): Promise<LabelledGraph | undefined> {
  const edgesPath = await dataFile('domain-edges.csv.gz');
  const qualityPath = await dataFile('quality-train.csv');
  if (!edgesPath || !qualityPath) return undefined;
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  };
  const edges = (await lines(edgesPath)).slice(1).map((line) => {
    const [from = '', to = ''] = line.split(',');
    return [numberOf(from), numberOf(to)] as const;
  });
  const graph = buildGraph(
    numbers.size,
    Uint32Array.from(edges, ([from]) => from),
    Uint32Array.from(edges, ([, to]) => to),
  );
  const institutionLinks = await loadInstitutionLinks();
  const labelled = (await lines(qualityPath)).slice(1).flatMap((line) => {
    const [domain = '', quality] = line.split(',');
    const node = numbers.get(domain);
    if (node === undefined) return [];
    const low = Number(quality) < LOW_BELOW;
    return [{ node, low, institutions: institutionLinks.get(domain) }];
  });
  const names = [...numbers.keys()];
  const institutions = Uint32Array.from(
    names.flatMap((name, node) => (isTrustedByRule(name) ? [node] : [])),
  );
  return { graph, names, institutions, labelled };
}

/** Links from `.edu` and `.gov`, by domain, as a commercial index of the whole web counted them. */
async function loadInstitutionLinks(): Promise<Map<string, number>> {
  const path = await dataFile('domain-attributes.csv.gz');
  if (!path) return new Map();
  return new Map(
    (await lines(path)).slice(1).map((line) => {
      const [domain = '', , , edu, gov] = line.split(',');
      return [domain, Number(edu) + Number(gov)];
    }),
  );
}

export interface Edges {
  nodes: number;
  from: Uint32Array;
  to: Uint32Array;
}

/** A real crawl of 325,557 pages, from the Laboratory for Web Algorithmics. */
export async function loadCnr(): Promise<Edges | undefined> {
  const path = await dataFile('cnr-2000.graph-txt.gz');
  if (!path) return undefined;
  const [first = '', ...rows] = await lines(path);
  const from: number[] = [];
  const to: number[] = [];
  rows.forEach((row, node) => {
    for (const target of row.split(' ')) {
      if (target === '') continue;
      from.push(node);
      to.push(Number(target));
    }
  });
  return { nodes: Number(first), from: Uint32Array.from(from), to: Uint32Array.from(to) };
}
