import { degree, type Graph } from '../graph/rows.ts';
import type { Formula } from './formula.ts';

/** Facts about a release as a whole; stored in its manifest. */
export interface Reliability {
  /**
   * 0 to 1: how reliably more votes mean more trust in this graph, measured on the lists. 1 without lists; near 0 in a
   * crawl of bad sites, whose votes go to bad sites.
   */
  votes: number;
  /** 0 to 1: the share of domains with donors that trust reaches from the seeds. */
  reach: number;
  /**
   * What the lists say about all domains: the log-odds of spam among the listed, by the lists' lengths, and from 0 to 1
   * how much of all links the lists cover, and so represent. Null without both lists.
   */
  lists: { odds: number; coverage: number } | null;
}

/**
 * How reliable votes are: the AUC of PageRank, which does not know the lists, between trusted and listed spam domains,
 * shrunk toward 1 while the lists are short.
 */
export function votesReliability(
  pageRank: Float32Array,
  trusted: Uint32Array,
  spam: Uint32Array,
  { reliabilityPrior, reliabilityFull }: Formula['signals'],
): number {
  const listed = 2 * Math.min(trusted.length, spam.length);
  if (listed === 0) return 1;
  const measured = (areaUnderCurve(pageRank, trusted, spam) - 0.5) / reliabilityFull;
  const bounded = Math.min(1, Math.max(0, measured));
  return (listed * bounded + reliabilityPrior) / (listed + reliabilityPrior);
}

/**
 * The base rate of spam that the lists imply, and their coverage of the graph: the share of all edges that end at a
 * listed domain. A few thousand domains say nothing about the rate of spam on the whole web; labels for a tenth of a
 * crawl do. The rate is the share of the shorter list: a thousand spam domains and ten trusted ones show how the lists
 * are kept, not what the web is like.
 */
export function listsOf(
  graph: Graph,
  trusted: Uint32Array,
  spam: Uint32Array,
  { coverageHalf }: Formula['signals'],
): Reliability['lists'] {
  if (trusted.length === 0 || spam.length === 0) return null;
  let edges = 0;
  for (const node of trusted) edges += degree(graph.in, node);
  for (const node of spam) edges += degree(graph.in, node);
  const share = edges / Math.max(1, graph.edges);
  const least = Math.min(trusted.length, spam.length);
  return {
    odds: Math.log(least / (trusted.length + spam.length - least)),
    coverage: share / (share + coverageHalf),
  };
}

/** The chance that a value of `higher` is above one of `lower`; ties count half. */
function areaUnderCurve(values: Float32Array, higher: Uint32Array, lower: Uint32Array): number {
  const below = Float32Array.from(lower, (node) => values[node] ?? 0).sort();
  let wins = 0;
  for (const node of higher) {
    const value = values[node] ?? 0;
    wins += (countBelow(below, value, false) + countBelow(below, value, true)) / 2;
  }
  return wins / (higher.length * lower.length);
}

/** The number of elements of an ascending array that are below a value, or not above it. */
function countBelow(sorted: Float32Array, value: number, orEqual: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const own = sorted[middle]!;
    if (own < value || (orEqual && own === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
