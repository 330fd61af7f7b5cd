/** The error of a promise that rejects; throws if it does not. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a failure, got ${Bun.inspect(value)}`);
}
