/**
 * Waits for statements of one transaction that were started at the same time. They run in the order of their start, and
 * on PostgreSQL they share a round trip. When this returns or throws, all of them have ended.
 * @throws the error of the first statement that failed; on PostgreSQL the later ones then fail too, for no reason of
 *   their own
 */
export async function together<const Work extends readonly Promise<unknown>[]>(
  statements: Work,
): Promise<{ -readonly [At in keyof Work]: Awaited<Work[At]> }> {
  const ended = await Promise.allSettled(statements);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}
