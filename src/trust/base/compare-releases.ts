import type { Release } from '../graph/release/release.ts';

/** Names between two calls of `pause`. */
const STEP = 100_000;

/**
 * Walks through the sorted names of two releases side by side.
 * @param onBoth called for each domain that both contain, with its nodes
 * @param pause lets other work run; called with the share that is done
 */
export async function eachInBoth(
  left: Release,
  right: Release,
  onBoth: (leftNode: number, rightNode: number) => void,
  pause: (done: number, total: number) => Promise<unknown>,
): Promise<void> {
  const rightNames = right.names();
  let other = rightNames.next();
  let rightNode = 0;
  let leftNode = 0;
  for (const name of left.names()) {
    let order = -1;
    while (!other.done && (order = Buffer.compare(other.value, name)) < 0) {
      other = rightNames.next();
      rightNode++;
    }
    if (other.done) return;
    if (order === 0) onBoth(leftNode, rightNode);
    if (++leftNode % STEP === 0) await pause(leftNode, left.nodes);
  }
}
