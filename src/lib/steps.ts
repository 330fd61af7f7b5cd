/** A long computation in steps. The values that it yields do not matter. */
export type Steps<T> = Generator<unknown, T>;

/** Runs all steps at once. */
export function resultOf<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Converts a list, this many items in each step. */
export function* mapped<T, R>(
  items: readonly T[],
  stepItems: number,
  convert: (item: T) => R,
): Steps<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(convert(item));
    if (results.length % stepItems === 0) yield;
  }
  return results;
}

/** Runs each step in its own turn of the event loop, so that other work is done in between. */
export async function resultInTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await new Promise(setImmediate);
  }
}
