import { degree, neighbours, type Graph } from '../graph/rows.ts';

export interface TopDonor {
  node: number;
  /** What flows from the donor: d · flow / its links. In shares of all trust. */
  flow: number;
}

/**
 * The donors that a node owes most of its trust, by the exact flow over each link, the greatest first.
 * Takes a step for each donor.
 * @param flow TrustRank's values: SignalArrays.flow
 */
export function topDonors(
  graph: Graph,
  flow: Float32Array | Float64Array,
  node: number,
  count: number,
  damping = 0.85,
): TopDonor[] {
  const top: TopDonor[] = [];
  for (const donor of neighbours(graph.in, node)) {
    const given = (damping * (flow[donor] ?? 0)) / degree(graph.out, donor);
    if (given <= 0 || (top.length >= count && given <= (top.at(-1)?.flow ?? 0))) continue;
    const place = top.findIndex((other) => other.flow < given);
    top.splice(place < 0 ? top.length : place, 0, { node: donor, flow: given });
    if (top.length > count) top.pop();
  }
  return top;
}
