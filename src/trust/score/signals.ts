import type { Graph } from '../graph/rows.ts';
import { gather } from '../rank/gather.ts';
import { logRankScore } from '../rank/log-rank.ts';
import {
  antiTrustRank,
  pageRank,
  trustRank,
  Vectors,
  type PageRank,
  type PageRankOptions,
} from '../rank/page-rank.ts';
import { donorOdds } from './distrust.ts';
import type { Formula } from './formula.ts';
import { listsOf, votesReliability, type Reliability } from './reliability.ts';
import type { Seeds } from './seeds.ts';

/** What a ranking adds to a release: one value per node. */
export interface SignalArrays {
  /** Scores 0 to 1 by logarithmic rank: PageRank, TrustRank, Anti-TrustRank, donors by their standing. */
  pageRank: Float32Array;
  trustRank: Float32Array;
  antiTrustRank: Float32Array;
  donors: Float32Array;
  /** Donors' mean log-odds of linking to listed spam, shrunk towards 0, which means no evidence. */
  distrust: Float32Array;
  /** 0: not listed, 1: on the list of trusted domains, 2: on the list of spam domains. */
  listed: Uint8Array;
  /** Donors on separate paths from the sources of trust, at most INDEPENDENT_MAX; 0 before version 2 of the formula. */
  independent: Uint8Array;
  /** The raw values of TrustRank, or of PageRank if there are no trust sources: for the search of top donors. */
  flow: Float32Array;
}

type RunFacts = Omit<PageRank, 'values' | 'mass'>;

export interface GraphSignals extends Reliability {
  arrays: SignalArrays;
  /** Facts about the three iterations. */
  runs: Record<'pageRank' | 'trustRank' | 'antiTrustRank', RunFacts>;
}

/** Computes all signals of a graph: three PageRanks, then a few passes over the in-rows. */
export async function computeSignals(
  graph: Graph,
  seeds: Seeds,
  formula: Formula,
  options: Pick<PageRankOptions, 'executor' | 'tolerance'> = {},
): Promise<GraphSignals> {
  const { damping } = formula.signals;
  // Each ranking overwrites the values of the previous one, so scores are computed in between.
  const rankOptions = { damping, vectors: new Vectors(graph.nodes), ...options };
  const listed = listedOf(graph.nodes, seeds);
  const trusted = seeds.trusted.filter((node) => listed[node] === 1);
  const institutions = seeds.institutions.filter((node) => listed[node] !== 2);
  const sources = [...trusted, ...institutions];
  const voting = formula.voting(graph, sources, endingsOf(seeds));
  const { byDonors, byAcceptors } = voting;

  const page = await pageRank(graph, rankOptions, voting.voters);
  const pageScore = logRankScore(page.values, byDonors);
  const votesFlow = sources.length > 0 ? undefined : new Float32Array(page.values);
  const trust = await trustRank(graph, sources, rankOptions);
  const trustScore = logRankScore(trust.values, byDonors);
  const flow = votesFlow ?? new Float32Array(trust.values);
  const reach = voting.reachOf(trustScore, pageScore);
  const anti = await antiTrustRank(graph, seeds.spam, rankOptions);
  const antiScore = logRankScore(anti.values, byAcceptors);

  const good = trusted.length > 0 ? trusted : institutions;
  const votes = votesReliability(voting.votesFor(pageScore), good, seeds.spam, formula.signals);
  const standing = trustScore.map((score, node) => reach * score + (1 - reach) * pageScore[node]!);
  const weighted = gather(graph.in, standing);
  const distrust = distrustOf(graph, good, seeds.spam, standing, votes, formula);
  return {
    votes,
    reach,
    lists: listsOf(graph, good, seeds.spam, byDonors, formula.signals),
    arrays: {
      pageRank: pageScore,
      trustRank: trustScore,
      antiTrustRank: antiScore,
      donors: logRankScore(weighted, byDonors),
      distrust,
      listed,
      independent: voting.independent,
      flow,
    },
    runs: { pageRank: runOf(page), trustRank: runOf(trust), antiTrustRank: runOf(anti) },
  };
}

/**
 * One step forward: averages the odds over a domain's donors. As far as votes are reliable, a donor counts by its
 * standing, so a thousand worthless donors do not outweigh fifty good ones. Since version 2, a donor that links to no
 * listed domain has little weight.
 */
function distrustOf(
  graph: Graph,
  trusted: Uint32Array,
  spam: Uint32Array,
  standing: Float32Array,
  votes: number,
  { signals }: Formula,
): Float32Array {
  const { nodes } = graph;
  if (trusted.length === 0 || spam.length === 0) return new Float32Array(nodes);
  const odds = donorOdds(graph, trusted, spam, signals);
  const least = Math.max(0, 1 - votes / signals.votesFull) + votes * signals.voteFloor;
  const { same, byOdds } = signals.voice;
  const voices = standing.map(
    (own, node) => (least + votes * own) * (same + byOdds * Math.abs(odds[node]!)),
  );
  for (let node = 0; node < nodes; node++) odds[node]! *= voices[node]!;
  const distrust = gather(graph.in, odds);
  const all = gather(graph.in, voices);
  for (let node = 0; node < nodes; node++) distrust[node]! /= all[node]! + signals.distrustShrink;
  return distrust;
}

/**
 * The endings of institutions by node, except those that nobody can buy and those of domains that the operator trusts.
 */
function endingsOf({ institutions, endings, trusted }: Seeds): Map<number, number> {
  const byNode = new Map<number, number>();
  endings?.forEach((ending, index) => {
    if (ending > 0) byNode.set(institutions[index]!, ending);
  });
  for (const node of trusted) byNode.delete(node);
  return byNode;
}

function listedOf(nodes: number, seeds: Seeds): Uint8Array {
  const listed = new Uint8Array(nodes);
  for (const node of seeds.trusted) listed[node] = 1;
  for (const node of seeds.spam) listed[node] = 2;
  return listed;
}

function runOf({ iterations, residual, converged }: PageRank): RunFacts {
  return { iterations, residual, converged };
}
