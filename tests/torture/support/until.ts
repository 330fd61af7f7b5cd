/** Polls until a condition is true that sends no notice. */

const LOOK_EVERY_MS = 10;

/** @returns false if it did not become true in time */
export async function becomesTrue(
  isTrue: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(LOOK_EVERY_MS);
  }
  return true;
}
