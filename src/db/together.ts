/**
 * Waits for statements of one transaction that were begun at once. They run in the order in which they were
 * begun, and on PostgreSQL they share a round trip. None is still running when this returns or throws.
 * @throws the error of the first statement that failed: on PostgreSQL those after it fail too, without saying why
 */
export async function together<const Work extends readonly Promise<unknown>[]>(
  statements: Work,
): Promise<{ -readonly [At in keyof Work]: Awaited<Work[At]> }> {
  const ended = await Promise.allSettled(statements);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}
