import type { BadSeed } from '../trust/index.ts';
import type { Output } from './output.ts';
import { counted } from './format.ts';
import { printable } from './table.ts';

const BAD_LINES_SHOWN = 10;

/** Warns of the lines of a seed file that were skipped. */
export async function warnOfBadSeeds(
  output: Output,
  path: string,
  bad: readonly BadSeed[],
): Promise<void> {
  for (const { line, text, message } of bad.slice(0, BAD_LINES_SHOWN)) {
    await output.warn(`${path} line ${line} skipped: ${printable(text)}: ${message}`);
  }
  const more = bad.length - BAD_LINES_SHOWN;
  if (more > 0) await output.warn(`${path}: ${counted(more, 'more line')} skipped`);
}
