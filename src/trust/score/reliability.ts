import { degree, type Graph } from '../graph/rows.ts';
import type { Formula } from './formula.ts';

/** What holds for a release as a whole. Stored in its manifest. */
export interface Reliability {
  /**
   * 0 to 1: how far more votes mean more trust in this graph, measured on the lists. 1 on a graph without
   * lists; near 0 on a crawl of bad sites, whose votes go to bad sites.
   */
  votes: number;
  /** 0 to 1: the share of domains with donors that trust reaches from the seeds. */
  reach: number;
  /** What the lists say of all: null without both lists. */
  lists: ListsEvidence | null;
}

export interface ListsEvidence {
  /** Log-odds of spam among the listed, by the lists' lengths. */
  odds: number;
  /** 0 to 1: how far the lists cover what is linked to, and so speak for all of it. */
  coverage: number;
}

/**
 * How far votes can be believed: the AUC of PageRank between trusted and listed spam domains, which PageRank
 * has not seen, drawn toward belief while the lists are short.
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
 * The base rate that the lists stand for, and how far they cover the graph: by the share of all edges that
 * end at a listed domain. A few thousand domains say nothing about the rate of spam on the whole web; the
 * labels of a tenth of a crawl do. Of unequal lists only the shorter one's length is taken for
 * spam: a thousand spam domains beside ten trusted ones say how lists are kept, not how the web is.
 */
export function listsOf(
  graph: Graph,
  trusted: Uint32Array,
  spam: Uint32Array,
  { coverageHalf }: Formula['signals'],
): ListsEvidence | null {
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

/** How many of an ascending array are below a value, or not above it. */
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
