export interface TopDonor {
  node: number;
  /** What flows from the donor: d · flow / its links. In shares of all trust. */
  flow: number;
}

/** What is asked of a graph: who gives to a node, among how many, and what each giver has. */
export interface Flows {
  donors(node: number): Iterable<number>;
  acceptorCount(node: number): number;
  /** TrustRank's value: SignalArrays.flow. */
  flow(node: number): number;
}

/** The search takes a break after so many donors. */
const STEP = 10_000;

/**
 * The donors that a node owes most of its trust, by the exact flow over each link, the greatest first.
 * A generator, since it walks over all donors and a giant has millions: it yields now and then, so that
 * the caller can let others have their turn, and returns the result.
 */
export function* searchTopDonors(
  flows: Flows,
  node: number,
  count: number,
  damping = 0.85,
): Generator<void, TopDonor[]> {
  const top: TopDonor[] = [];
  let seen = 0;
  for (const donor of flows.donors(node)) {
    if (++seen % STEP === 0) yield;
    const given = (damping * flows.flow(donor)) / flows.acceptorCount(donor);
    if (given <= 0 || (top.length >= count && given <= (top.at(-1)?.flow ?? 0))) continue;
    const place = top.findIndex((other) => other.flow < given);
    top.splice(place < 0 ? top.length : place, 0, { node: donor, flow: given });
    if (top.length > count) top.pop();
  }
  return top;
}
