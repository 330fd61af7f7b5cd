import type { BadSeed } from '../trust/index.ts';
import type { Output } from './output.ts';
import { counted } from './format.ts';
import { printable } from './table.ts';

const BAD_LINES_SHOWN = 10;

/** Tells which lines of a file of seeds were passed over. */
export async function tellBadSeeds(
  output: Output,
  path: string,
  bad: readonly BadSeed[],
): Promise<void> {
  for (const { line, text, message } of bad.slice(0, BAD_LINES_SHOWN)) {
    await output.warn(`${path} line ${line} passed over: ${printable(text)}: ${message}`);
  }
  const more = bad.length - BAD_LINES_SHOWN;
  if (more > 0) await output.warn(`${path}: ${counted(more, 'more line')} passed over`);
}
