import { messageOf } from '../lib/errors.ts';
import type { Output } from './output.ts';

/**
 * Prints a result with a secret that is shown this once.
 * @param remedy what was made all the same, and what to do, when nothing can be printed
 * @throws Error saying so
 */
export async function printOnce(
  output: Output,
  value: unknown,
  text: string,
  remedy: string,
): Promise<void> {
  try {
    await output.data(value, text);
  } catch (error) {
    throw new Error(`${remedy} (standard output can't be written: ${messageOf(error)})`, {
      cause: error,
    });
  }
}
