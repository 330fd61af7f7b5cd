import { z } from 'zod';
import { EMBEDDING_TOKEN_MAX, textsOfTokens } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';

export const tokenNumbers = z.array(z.int().min(0).max(EMBEDDING_TOKEN_MAX)).min(1);

type Texts = string | string[];
type Numbers = number[] | number[][];

export function isText(input: Texts | Numbers): input is Texts {
  return typeof input === 'string' || typeof input[0] === 'string';
}

/** One list of token numbers for each text. */
export function numberLists(input: Numbers): number[][] {
  return (typeof input[0] === 'number' ? [input] : input) as number[][];
}

/**
 * The texts that token numbers stand for: the history shows them, and most providers accept nothing else.
 * @throws `invalid_request` for a text that can't be stored
 */
export async function textsOfNumbers(input: Numbers, field: string): Promise<string[]> {
  const texts = await textsOfTokens(numberLists(input));
  const wrong = texts.findIndex((text) => text.includes('\0'));
  if (wrong >= 0) throw invalidField(`${field}.${wrong}`, 'must not contain U+0000');
  return texts;
}
