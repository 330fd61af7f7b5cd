import { degree, type Graph } from '../graph/rows.ts';
import type { DomainSignals } from './verdict.ts';
import type { GraphSignals } from './signals.ts';

/** What a release in memory knows of one node. */
export function signalsOf(graph: Graph, signals: GraphSignals, node: number): DomainSignals {
  const { arrays, votes, reach, lists } = signals;
  return {
    pageRank: arrays.pageRank[node] ?? 0,
    trustRank: arrays.trustRank[node] ?? 0,
    antiTrustRank: arrays.antiTrustRank[node] ?? 0,
    donors: arrays.donors[node] ?? 0,
    distrust: arrays.distrust[node] ?? 0,
    listed: arrays.listed[node] ?? 0,
    donorCount: degree(graph.in, node),
    acceptorCount: degree(graph.out, node),
    release: { votes, reach, lists },
  };
}
