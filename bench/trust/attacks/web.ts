import { degree, type Graph } from '../../../src/trust/graph/rows.ts';
import { pageRank } from '../../../src/trust/rank/page-rank.ts';
import { buildGraph } from '../../../tests/support/link-graph.ts';
import { Random } from '../random.ts';
import type { Edges } from '../support/data.ts';
import { shuffled } from '../support/statistics.ts';

/** Where a link can be bought, by the place of the site that sells it. */
export const places = ['top', 'institution', 'good', 'middle', 'bottom', 'directory'] as const;
export type Place = (typeof places)[number];

/** An honest graph before any attack, and who in it plays which part. */
export interface Web {
  name: string;
  edges: Edges;
  graph: Graph;
  /** Trust seeds by rule. */
  institutions: Uint32Array;
  /** Their endings: see `Seeds`. */
  endings: Uint16Array;
  /** Sites that sell links, in random order. */
  sellers: Record<Place, number[]>;
  /** Honest sites with a few donors, in random order: victims, and domains that expire. */
  small: number[];
  /** Honest sites with many donors, in random order: victims whose standing is worth an attack. */
  known: number[];
}

/** Each place has at least so many sites, since a hundred links are bought from different ones. */
export const SITES_MIN = 200;
/** Share of institutions whose ending nobody can buy. The others are under so many endings, the first ones often. */
const CHECKED = 0.4;
const ENDINGS = 30;
/** Domains that a site lists at least to be a directory. */
const DIRECTORIES = 200;

/**
 * @param institutionsOf chooses the seeds among all nodes, which are given by descending PageRank; none is taken for
 * another part
 */
export async function prepareWeb(
  name: string,
  edges: Edges,
  institutionsOf: (byRank: readonly number[], random: Random) => number[],
): Promise<Web> {
  const graph = buildGraph(edges.nodes, edges.from, edges.to);
  const { values } = await pageRank(graph, { tolerance: 1e-8 });
  const byRank = [...values.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
  const random = new Random(7);
  const institutions = institutionsOf(byRank, random);
  const seeds = new Set(institutions);
  const others = byRank.filter((node) => !seeds.has(node));
  const donors = (node: number): number => degree(graph.in, node);
  const links = (node: number): number => degree(graph.out, node);
  const between = (from: number, to: number): number[] =>
    others.slice(Math.floor(from * others.length), Math.ceil(to * others.length));
  const selling = (nodes: readonly number[]): number[] =>
    shuffled(
      nodes.filter((node) => links(node) > 0),
      random,
    );
  return {
    name,
    edges,
    graph,
    institutions: Uint32Array.from(institutions),
    endings: Uint16Array.from(institutions, () => endingOf(random)),
    sellers: {
      top: selling(between(0, Math.max(0.001, SITES_MIN / edges.nodes))),
      institution: selling(institutions),
      good: selling(between(0.01, 0.02)),
      middle: selling(between(0.4, 0.6)),
      bottom: selling(between(0.9, 1)),
      directory: others.toSorted((a, b) => links(b) - links(a)).slice(0, DIRECTORIES),
    },
    small: shuffled(
      between(0.3, 0.9).filter((node) => donors(node) >= 3 && donors(node) <= 5),
      random,
    ),
    known: shuffled(
      between(0.001, 0.02).filter((node) => donors(node) >= 20),
      random,
    ),
  };
}

/** 0 for an ending that nobody can buy. */
function endingOf(random: Random): number {
  return random.next() < CHECKED ? 0 : Math.ceil(ENDINGS ** random.next());
}
