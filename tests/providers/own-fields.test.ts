import { expect, test } from 'bun:test';
import { withExtra } from '../../src/providers/shared/merge.ts';

test('objects in a request and in the operator’s fields are merged; of others, the request’s own stays', () => {
  const body = { model: 'm', generationConfig: { maxOutputTokens: 9, topP: undefined }, stop: [] };
  const extra = { generationConfig: { topP: 0.1, maxOutputTokens: 99 }, stop: ['x'], seed: 7 };
  expect(withExtra(body, extra)).toEqual({
    model: 'm',
    generationConfig: { maxOutputTokens: 9, topP: 0.1 },
    stop: [],
    seed: 7,
  });
});
