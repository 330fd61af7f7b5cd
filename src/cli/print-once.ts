import { messageOf } from '../lib/errors.ts';
import type { Output } from './output.ts';

/** The reason where nobody can read what was printed without an error. */
export const DISCARDED = 'standard output is closed, or the null device';

/** What to report when nobody can read the result. */
export interface Unread {
  /** What was created nevertheless. */
  made: string;
  /** The secret that is lost then, and what to do; undefined: the result holds no secret. */
  lost: string | undefined;
}

/**
 * Prints a result with a secret that is shown only once. If nobody can read it, a warning says what is lost.
 * @throws Error that says so when standard output can't be written
 */
export async function printOnce(
  output: Output,
  value: unknown,
  text: string,
  { made, lost }: Unread,
): Promise<void> {
  const remedy = lost === undefined ? made : `${made}, and ${lost}`;
  try {
    await output.data(value, text);
  } catch (error) {
    throw new Error(`${remedy} (standard output can't be written: ${messageOf(error)})`, {
      cause: error,
    });
  }
  if (lost !== undefined && output.isDiscarded) await output.warn(`${remedy} (${DISCARDED})`);
}
