/** Donors between two calls of `pause`: a node may have millions. */
const STEP = 10_000;

/**
 * The donors that give a node most of its trust, the greatest first.
 * @param flowOf the trust that flows over the link of a donor: damping · its trust / number of its links
 * @param pause lets other work run
 */
export async function topDonors(
  donors: Iterable<number>,
  flowOf: (donor: number) => number,
  count: number,
  pause: () => Promise<unknown>,
): Promise<{ node: number; flow: number }[]> {
  const top: { node: number; flow: number }[] = [];
  let seen = 0;
  for (const node of donors) {
    if (++seen % STEP === 0) await pause();
    const flow = flowOf(node);
    if (flow <= 0 || (top.length >= count && flow <= (top.at(-1)?.flow ?? 0))) continue;
    const place = top.findIndex((other) => other.flow < flow);
    top.splice(place < 0 ? top.length : place, 0, { node, flow });
    if (top.length > count) top.pop();
  }
  return top;
}
