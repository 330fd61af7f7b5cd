import { z } from 'zod';
import type { Usage } from '../spec.ts';
import { malformedAnswer } from './failures.ts';
import { readWire } from './wire.ts';

/** Checked in place: an answer can have millions of numbers. */
const wireVector = z.custom<number[]>(
  (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((component) => typeof component === 'number'),
);

const wireItem = z.object({ index: z.number().nullish(), embedding: wireVector });

/**
 * The vectors of an answer, in the order of the texts: by their `index`, or else by their position.
 * @param items with the vector in `embedding`
 * @throws ProviderError `failed` if there is not one vector for each text, or two have the same number
 */
export function readVectors(
  items: readonly unknown[] | undefined,
  count: number,
  usage: Usage,
): number[][] {
  if (items?.length !== count) throw malformedAnswer('vectors are missing', { usage });
  const vectors: number[][] = Array.from({ length: count }, () => []);
  for (const [position, item] of items.entries()) {
    const { index, embedding } = readWire(wireItem, item, usage);
    const place = index ?? position;
    if (vectors[place]?.length !== 0) {
      throw malformedAnswer('its vectors are not numbered', { usage });
    }
    vectors[place] = embedding;
  }
  return vectors;
}
