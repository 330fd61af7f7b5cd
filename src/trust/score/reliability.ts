import { degree, type Graph } from '../graph/rows.ts';
import type { Ranked } from '../rank/log-rank.ts';
import type { SignalNumbers } from './numbers.ts';

/** Facts about a release as a whole; stored in its manifest. */
export interface Reliability {
  /**
   * 0 to 1: how reliably more votes mean more trust in this graph, measured on the lists. 1 without lists; near 0 in a
   * crawl of bad sites, whose votes go to bad sites.
   */
  votes: number;
  /** 0 to 1: how far trust reaches from the seeds; the versions of the formula measure it differently. */
  reach: number;
  /**
   * What the lists imply about all domains: the log-odds of spam among the listed, by the lists' lengths, and from 0 to
   * 1 how much of all links the lists cover, and so represent. Null unless there are both lists.
   */
  lists: { odds: number; coverage: number } | null;
}

/**
 * How reliable votes are: the AUC of a measure of votes, which must not depend on the lists, between trusted and listed
 * spam domains, shrunk towards 1 while the lists are short.
 */
export function votesReliability(
  votesFor: (node: number) => number,
  trusted: Uint32Array,
  spam: Uint32Array,
  { reliabilityPrior, reliabilityFrom, reliabilityFull }: SignalNumbers,
): number {
  const listed = 2 * Math.min(trusted.length, spam.length);
  if (listed === 0) return 1;
  const measured = (areaUnderCurve(votesFor, trusted, spam) - 0.5) / reliabilityFull;
  const bounded = Math.min(1, Math.max(0, measured));
  const shrunk = (listed * bounded + reliabilityPrior) / (listed + reliabilityPrior);
  return Math.max(0, shrunk - reliabilityFrom) / (1 - reliabilityFrom);
}

/**
 * The base rate of spam that the lists imply, and their coverage of the graph: among the edges that end at counted
 * domains, the share that ends at a listed domain. A few thousand domains say nothing about the rate of spam on the
 * whole web; labels for a tenth of a crawl do. The rate is the share of the shorter list: a thousand spam domains and
 * ten trusted ones show how the lists are maintained, not what the web is like.
 */
export function listsOf(
  graph: Graph,
  trusted: Uint32Array,
  spam: Uint32Array,
  { isCounted }: Ranked,
  { coverageHalf, listsOddsMax }: SignalNumbers,
): Reliability['lists'] {
  if (trusted.length === 0 || spam.length === 0) return null;
  let all = 0;
  for (let node = 0; node < graph.nodes; node++) {
    if (isCounted(node)) all += degree(graph.in, node);
  }
  let listed = 0;
  for (const nodes of [trusted, spam]) {
    for (const node of nodes) if (isCounted(node)) listed += degree(graph.in, node);
  }
  const share = listed / Math.max(1, all);
  const least = Math.min(trusted.length, spam.length);
  const odds = Math.log(least / (trusted.length + spam.length - least));
  return {
    odds: Math.min(listsOddsMax, odds),
    coverage: share / (share + coverageHalf),
  };
}

/** The chance that a value of `higher` is above one of `lower`; ties count half. */
function areaUnderCurve(
  valueOf: (node: number) => number,
  higher: Uint32Array,
  lower: Uint32Array,
): number {
  const below = Float32Array.from(lower, valueOf).sort();
  let wins = 0;
  for (const node of higher) {
    const value = valueOf(node);
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
