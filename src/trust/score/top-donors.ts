export interface TopDonor {
  node: number;
  /** Trust that flows from the donor, as a share of all trust: d · flow / number of its links. */
  flow: number;
}

/** The part of a release that the search reads. */
export interface Flows {
  donors(node: number): Iterable<number>;
  acceptorCount(node: number): number;
  /** See SignalArrays.flow. */
  flow(node: number): number;
}

/** Donors between two calls of `pause`: a node may have millions. */
const STEP = 10_000;

/**
 * The donors from which a node has most of its trust, by the exact flow over each link, the greatest first.
 * @param pause lets other work run
 */
export async function topDonors(
  flows: Flows,
  node: number,
  count: number,
  pause: () => Promise<unknown>,
  damping = 0.85,
): Promise<TopDonor[]> {
  const top: TopDonor[] = [];
  let seen = 0;
  for (const donor of flows.donors(node)) {
    if (++seen % STEP === 0) await pause();
    const given = (damping * flows.flow(donor)) / flows.acceptorCount(donor);
    if (given <= 0 || (top.length >= count && given <= (top.at(-1)?.flow ?? 0))) continue;
    const place = top.findIndex((other) => other.flow < given);
    top.splice(place < 0 ? top.length : place, 0, { node: donor, flow: given });
    if (top.length > count) top.pop();
  }
  return top;
}
