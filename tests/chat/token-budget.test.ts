/** How much of the input fits a model, and for how many tokens the hold has to last. */
import { describe, expect, test } from 'bun:test';
import { TokenBudget, TOKENS_PER_MESSAGE } from '../../src/chat/context.ts';
import { estimateTokens } from '../../src/chat/tokens.ts';

/** A token a byte: 100 of them. */
const dense = 'a1b2c3d4e5f6g7h8i9j0'.repeat(5);
/** 100 bytes, far fewer tokens. */
const sparse = 'word '.repeat(20);

describe('the most tokens that a provider can count', () => {
  test('are the bytes of UTF-8 and 16 a message', async () => {
    const budget = new TokenBudget(10_000);
    expect(await budget.take(['привет', '你好', 'Hi'])).toBe(true);
    expect(budget.upperBound).toBe(12 + 6 + 2 + 3 * 16);
    expect(await budget.take(['👋'])).toBe(true);
    expect(budget.upperBound).toBe(12 + 6 + 2 + 4 + 4 * 16);
  });

  test('are no more than the model takes', async () => {
    const budget = new TokenBudget(60);
    expect(await budget.take([sparse])).toBe(true);
    expect(budget.upperBound).toBe(60);
  });
});

describe('what fits', () => {
  test('is what has no more bytes than the model takes tokens', async () => {
    expect(await new TokenBudget(100 + TOKENS_PER_MESSAGE).take([dense])).toBe(true);
  });

  test('of more bytes is what has no more tokens: all that was taken counts, to the last', async () => {
    const tokens = await estimateTokens(sparse);
    expect(tokens).toBeLessThan(50);
    const budget = new TokenBudget(2 * tokens);
    for (const fits of [true, true, false]) expect(await budget.take([sparse])).toBe(fits);
    expect(await budget.take(['a'])).toBe(false);
  });

  test('counts what was taken by its bytes alone by its tokens, as soon as that matters', async () => {
    expect(await estimateTokens(dense)).toBe(100);
    const budget = new TokenBudget(130);
    expect(await budget.take([dense])).toBe(true);
    expect(await budget.take([dense])).toBe(false);
    expect(await budget.take([sparse])).toBe(true);
    expect(await budget.take([sparse])).toBe(false);
  });

  test('what did not fit leaves the bound as it was', async () => {
    const budget = new TokenBudget(150);
    expect(await budget.take([dense])).toBe(true);
    expect(await budget.take([dense])).toBe(false);
    expect(budget.upperBound).toBe(100 + TOKENS_PER_MESSAGE);
  });
});
