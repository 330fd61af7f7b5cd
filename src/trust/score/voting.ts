import { degree, neighbours, type Graph } from '../graph/rows.ts';
import {
  countIndependent,
  isMarked,
  setRandomMark,
  spreadMarks,
  type Marks,
} from '../rank/independent.ts';
import { INDEPENDENT_MAX, randomWord } from '../rank/mark-words.ts';
import type { Ranked } from '../rank/log-rank.ts';

/** Which links count in a graph, and how much. */
export interface Voting {
  /** Where the jumps of PageRank land; undefined: on all nodes equally. */
  voters: Iterable<number> | undefined;
  /** Which domains are ranked, and among which: by what donors give, and by Anti-TrustRank. */
  byDonors: Ranked;
  byAcceptors: Ranked;
  /** Independent donors of each node, at most INDEPENDENT_MAX. */
  independent: Uint8Array;
  /** 0 to 1: how far trust reaches, and therefore replaces PageRank, from the scores by TrustRank and by PageRank. */
  reachOf: (trust: Float32Array, page: Float32Array) => number;
  /** The votes for a node, for comparing the lists, from the score by PageRank. */
  votesFor: (page: Float32Array) => (node: number) => number;
}

/**
 * @param sources the nodes from which trust flows
 * @param endings of sources whose ending may be for sale, see `Seeds`
 */
export type VotingRule = (
  graph: Graph,
  sources: readonly number[],
  endings: ReadonlyMap<number, number>,
) => Voting;

const everyone = (): boolean => true;

/** Version 1: the links of all domains count, and made-up names take part in the ranks. */
export const everyoneVotes: VotingRule = (graph) => ({
  voters: undefined,
  byDonors: { isRanked: (node) => degree(graph.in, node) > 0, isCounted: everyone },
  byAcceptors: { isRanked: everyone, isCounted: everyone },
  independent: new Uint8Array(graph.nodes),
  reachOf: (trust, page) => count(trust) / Math.max(1, count(page)),
  votesFor: (page) => (node) => page[node] ?? 0,
});

/** If trust reaches this share of the domains that have links, the others have no vote. */
const REACH_ENOUGH = 0.5;
/** If trust reaches this many, that is enough: otherwise, registering as many domains again would buy votes. */
const REACHED_ENOUGH = 5_000;

/**
 * Version 2: only the links of domains that trust reaches count. Ranks are counted among those that have links, so
 * neither names that nobody registered nor domains that trust does not reach affect others. If trust reaches few
 * domains, some of the others vote too.
 */
export const reachedVote: VotingRule = (graph, sources, endings) => {
  const spread = spreadMarks(graph, sources, endings);
  const links = (node: number): boolean => degree(graph.out, node) > 0;
  const reach = reachOf(spread, graph.nodes, links);
  if (reach < 1) markOthers(spread, graph.nodes, links, 1 - reach);
  const independent = countIndependent(graph, spread);
  for (const source of sources) independent[source] = INDEPENDENT_MAX;
  // Read many times for each node: consecutive bytes are faster than marks and offsets.
  const counted = flags(graph.nodes, (node) => isMarked(spread, node) && links(node));
  const ranked = flags(
    graph.nodes,
    (node) => degree(graph.in, node) > 0 || spread.sources[node] !== 0,
  );
  return {
    voters: { [Symbol.iterator]: () => nodesWith(spread, graph.nodes) },
    byDonors: {
      isRanked: (node) => ranked[node] === 1,
      isCounted: (node) => counted[node] === 1,
    },
    byAcceptors: { isRanked: everyone, isCounted: links },
    independent,
    reachOf: () => reach,
    // PageRank's jumps land on the trusted list, so it can't show how good votes are.
    votesFor: () => (node) => votersAmong(neighbours(graph.in, node), spread),
  };
};

function flags(nodes: number, holds: (node: number) => boolean): Uint8Array {
  const found = new Uint8Array(nodes);
  for (let node = 0; node < nodes; node++) if (holds(node)) found[node] = 1;
  return found;
}

/** 0 to 1: whether enough linking domains have a mark. */
function reachOf(marks: Marks, nodes: number, links: (node: number) => boolean): number {
  let reached = 0;
  let all = 0;
  for (let node = 0; node < nodes; node++) {
    if (!links(node)) continue;
    all += 1;
    if (isMarked(marks, node)) reached += 1;
  }
  if (all === 0) return 0;
  return Math.min(1, Math.max(reached / all / REACH_ENOUGH, reached / REACHED_ENOUGH));
}

/** Gives a share of the linking domains without a mark a separate mark. */
function markOthers(
  marks: Marks,
  nodes: number,
  links: (node: number) => boolean,
  share: number,
): void {
  let linking = 0;
  for (let node = 0; node < nodes; node++) {
    if (!links(node)) continue;
    const mark = randomWord(-++linking);
    if (isMarked(marks, node) || randomWord(mark) >= share * 2 ** 32) continue;
    setRandomMark(marks, node, -linking);
  }
}

function votersAmong(donors: Iterable<number>, marks: Marks): number {
  let voters = 0;
  for (const donor of donors) if (isMarked(marks, donor)) voters += 1;
  return voters;
}

function* nodesWith(marks: Marks, nodes: number): Generator<number> {
  for (let node = 0; node < nodes; node++) if (isMarked(marks, node)) yield node;
}

function count(values: Float32Array): number {
  let above = 0;
  for (const value of values) if (value > 0) above += 1;
  return above;
}
