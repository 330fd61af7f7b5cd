import { degree, neighbours, type Graph } from '../../../src/trust/graph/rows.ts';
import { Random } from '../random.ts';
import { printTable } from './report.ts';
import { meanOf, shuffled } from '../support/statistics.ts';

/** Measures by which a generated web is compared with a real one. */
export interface Shape {
  nodes: number;
  links: number;
  /** Share of nodes without links, and without donors. */
  dangling: number;
  unlinked: number;
  /** Links and donors at the median, at 90 %, 99 %, 99.9 %, and at most. */
  links50to100: number[];
  donors50to100: number[];
  /** Share of links that are answered. */
  reciprocity: number;
  /** Mean share of the pairs of a node's neighbours that are linked, in any direction. */
  clustering: number;
}

/** The measures side by side. */
export function printShapes(webs: readonly { name: string; graph: Graph }[]): void {
  printTable(
    [
      'web',
      'nodes',
      'links',
      'no links',
      'no donors',
      'links: 50, 90, 99, 99.9, 100 %',
      'donors',
      'answered',
      'clustering',
    ],
    webs.map(({ name, graph }) => {
      const shape = shapeOf(graph);
      return [
        name,
        shape.nodes,
        shape.links,
        shape.dangling.toFixed(2),
        shape.unlinked.toFixed(2),
        shape.links50to100.join(', '),
        shape.donors50to100.join(', '),
        shape.reciprocity.toFixed(2),
        shape.clustering.toFixed(2),
      ];
    }),
  );
}

const QUANTILES = [0.5, 0.9, 0.99, 0.999, 1];
const SAMPLE = 3000;
/** How many neighbours of a great site are looked at. */
const NEIGHBOURS = 60;

export function shapeOf(graph: Graph): Shape {
  const all = Array.from({ length: graph.nodes }, (_, node) => node);
  const links = all.map((node) => degree(graph.out, node));
  const donors = all.map((node) => degree(graph.in, node));
  let answered = 0;
  for (const node of all) {
    const targets = new Set(neighbours(graph.out, node));
    for (const donor of neighbours(graph.in, node)) if (targets.has(donor)) answered += 1;
  }
  return {
    nodes: graph.nodes,
    links: graph.edges,
    dangling: links.filter((count) => count === 0).length / graph.nodes,
    unlinked: donors.filter((count) => count === 0).length / graph.nodes,
    links50to100: quantiles(links),
    donors50to100: quantiles(donors),
    reciprocity: answered / graph.edges,
    clustering: clusteringOf(graph),
  };
}

function quantiles(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return QUANTILES.map((part) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0);
}

/** The mean over a sample of the nodes with two neighbours or more. */
function clusteringOf(graph: Graph): number {
  const random = new Random(11);
  const shares: number[] = [];
  while (shares.length < SAMPLE) {
    const node = random.below(graph.nodes);
    const all = [...new Set([...neighbours(graph.out, node), ...neighbours(graph.in, node)])];
    if (all.length < 2) continue;
    const some = shuffled(all, random).slice(0, NEIGHBOURS);
    const rows = some.map((other) => ({ other, links: new Set(neighbours(graph.out, other)) }));
    let [linked, pairs] = [0, 0];
    for (const [index, left] of rows.entries()) {
      for (const right of rows.slice(index + 1)) {
        pairs += 1;
        if (left.links.has(right.other) || right.links.has(left.other)) linked += 1;
      }
    }
    shares.push(linked / pairs);
  }
  return meanOf(shares);
}
