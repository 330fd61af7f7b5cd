import type { Formula } from '../../../src/trust/score/formula.ts';
import type { DomainSignals } from '../../../src/trust/score/verdict.ts';
import { computeSignals } from '../../../src/trust/score/signals.ts';
import { degree, type Graph } from '../../../src/trust/graph/rows.ts';
import { pageRank } from '../../../src/trust/rank/page-rank.ts';
import type { Edges } from './data.ts';
import { withFarms, type Farm } from './farms.ts';
import { Random } from '../random.ts';
import { shuffled } from './statistics.ts';
import { buildGraph, exactScore, signalsOf } from '../../../tests/support/link-graph.ts';

/** The crawl as it is, and who in it plays which part. Its nodes have no names, so no rule applies. */
export interface Crawl {
  edges: Edges;
  /** Stand for institutions: a random 1 in 1,000 of all nodes, from the upper tenth by PageRank. */
  trusted: Uint32Array;
  /** Nodes in random order with 3 to 5 donors and PageRank below the median: targets of farms. */
  targets: number[];
  /** Nodes in random order about the upper hundredth by PageRank: who sells links. */
  sellers: number[];
}

export async function prepareCrawl(edges: Edges): Promise<Crawl> {
  const graph = buildGraph(edges.nodes, edges.from, edges.to);
  const { values } = await pageRank(graph, { tolerance: 1e-8 });
  const nodes = [...values.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
  const random = new Random(7);
  const donors = (node: number): number => degree(graph.in, node);
  return {
    edges,
    trusted: Uint32Array.from(
      shuffled(nodes.slice(0, edges.nodes / 10), random).slice(0, edges.nodes / 1000),
    ),
    targets: shuffled(
      nodes.slice(edges.nodes / 2).filter((node) => donors(node) >= 3 && donors(node) <= 5),
      random,
    ),
    sellers: shuffled(nodes.slice(edges.nodes / 100, edges.nodes / 50), random),
  };
}

export interface FarmedRelease {
  graph: Graph;
  signals: (node: number) => DomainSignals;
  score: (node: number) => ReturnType<typeof exactScore>;
}

/** A release of the crawl with farms in it, without any list: what an operator has on the first day. */
export async function releaseWith(
  crawl: Crawl,
  farms: readonly Farm[],
  formula: Formula,
): Promise<FarmedRelease> {
  const graph = withFarms(crawl.edges, farms);
  const nobody = new Uint32Array(0);
  const seeds = { institutions: crawl.trusted, trusted: nobody, spam: nobody };
  const release = await computeSignals(graph, seeds, formula, { tolerance: 1e-8 });
  const signals = (node: number): DomainSignals => signalsOf(graph, release, node);
  return { graph, signals, score: (node) => exactScore(signals(node), undefined, formula) };
}
