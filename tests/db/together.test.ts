import { expect, test } from 'bun:test';
import { together } from '../../src/db/index.ts';
import { failure } from '../support/failure.ts';

/** A statement that ends some turns of the event loop later. */
async function later<T>(turns: number, end: () => T): Promise<T> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resume) => setImmediate(resume));
  return end();
}

function fails(text: string): never {
  throw new Error(text);
}

test('results come in the order of the calls', async () => {
  expect(await together([later(2, () => 'slow'), later(0, () => 7)])).toEqual(['slow', 7]);
});

test('the first failure is thrown once all have ended', async () => {
  const ended: string[] = [];
  const work = together([
    later(2, () => ended.push('first')),
    later(3, () => fails('the cause')),
    later(0, () => fails('what came of it')),
    later(5, () => ended.push('last')),
  ]);
  expect(String(await failure(work))).toContain('the cause');
  expect(ended).toEqual(['first', 'last']);
});
