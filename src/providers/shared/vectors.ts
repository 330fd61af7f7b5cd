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

/** Vectors that an answer numbers by `index`; without it they are in the order of the texts. */
const wireNumbered = z.object({ index: z.number().nullish(), embedding: wireVector });

/** @throws ProviderError `failed` if there is not one vector for each text */
export function readVectors(vectors: readonly unknown[] | undefined, count: number, usage: Usage) {
  checkCount(vectors, count, usage);
  return vectors.map((vector) => readWire(wireVector, vector, usage));
}

/** @throws ProviderError `failed` if there is not one vector for each text, or two have the same number */
export function readNumberedVectors(
  items: readonly unknown[] | undefined,
  count: number,
  usage: Usage,
): number[][] {
  checkCount(items, count, usage);
  const vectors: number[][] = Array.from({ length: count }, () => []);
  for (const [position, item] of items.entries()) {
    const { index, embedding } = readWire(wireNumbered, item, usage);
    const place = index ?? position;
    if (vectors[place]?.length !== 0) {
      throw malformedAnswer('its vectors are not numbered', { usage });
    }
    vectors[place] = embedding;
  }
  return vectors;
}

function checkCount(
  items: readonly unknown[] | undefined,
  count: number,
  usage: Usage,
): asserts items is readonly unknown[] {
  if (items?.length !== count) throw malformedAnswer('vectors are missing', { usage });
}
