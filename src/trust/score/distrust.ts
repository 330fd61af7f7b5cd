import { degree, neighbours, type Graph } from '../graph/rows.ts';
import type { SignalNumbers } from './numbers.ts';

/**
 * One step back from the lists: each donor's odds of linking to listed spam rather than to trusted domains. A link to a
 * popular domain says little about its donor, so it counts 1/√donors. The odds are relative to the ratio of the lists,
 * so that a long list does not tilt them, and are shrunk toward no evidence.
 * @returns log-odds, one per node; 0 without evidence
 */
export function donorOdds(
  graph: Graph,
  trusted: Uint32Array,
  spam: Uint32Array,
  { oddsPrior }: SignalNumbers,
): Float32Array {
  const toTrusted = new Float32Array(graph.nodes);
  const toSpam = new Float32Array(graph.nodes);
  const weight = countLinks(graph, trusted, toTrusted) + countLinks(graph, spam, toSpam);
  const prior = (oddsPrior * weight) / (trusted.length + spam.length);
  const share = spam.length / (trusted.length + spam.length);
  const odds = new Float32Array(graph.nodes);
  for (let node = 0; node < graph.nodes; node++) {
    if (toTrusted[node] === 0 && toSpam[node] === 0) continue;
    const bad = (toSpam[node]! + prior * share) / share;
    const good = (toTrusted[node]! + prior * (1 - share)) / (1 - share);
    odds[node] = Math.log(bad / good);
  }
  return odds;
}

/** Adds each seed's weight to its donors. @returns the sum of the seeds' weights */
function countLinks(graph: Graph, seeds: Uint32Array, weights: Float32Array): number {
  let sum = 0;
  for (const seed of seeds) {
    const weight = 1 / Math.sqrt(Math.max(1, degree(graph.in, seed)));
    sum += weight;
    for (const donor of neighbours(graph.in, seed)) {
      weights[donor]! += weight;
    }
  }
  return sum;
}
