import type { Usage } from '../spec.ts';
import { incomprehensible } from './failures.ts';
import { asArray } from './json.ts';

/** @throws ProviderError `failed` with the told usage when the value is no vector */
export function asVector(value: unknown, usage: Usage): number[] {
  const numbers = asArray(value);
  const isVector = numbers?.every((number) => typeof number === 'number') ?? false;
  if (!numbers || !isVector || numbers.length === 0) {
    throw incomprehensible('a vector of it is no list of numbers', { usage });
  }
  return numbers as number[];
}
