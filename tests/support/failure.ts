/** What the promise rejects with; throws when it does not. For errors that need a closer look. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a failure, got ${Bun.inspect(value)}`);
}
