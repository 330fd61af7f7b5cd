/** Which usage of an answer counts, and its charge by the prices of the requested and the serving model. */
import { describe, expect, test } from 'bun:test';
import type { CatalogueModel } from '../../src/catalogue/index.ts';
import {
  chargeForAnswer,
  chargeWithoutAnswer,
  countPart,
  countUsage,
} from '../../src/chat/send/pricing.ts';
import type { RoomSend } from '../../src/chat/send/kinds/room.ts';
import { estimateTokens } from '../../src/chat/context/tokens.ts';
import { noUsage } from '../../src/providers/index.ts';

const input: RoomSend = {
  kind: 'room',
  roomId: '',
  ai: 1,
  message: 'three',
  systemPrompt: 'Be brief',
  chatDepth: 1,
  maxOutputTokens: undefined,
  temperature: undefined,
  seed: undefined,
  traceparent: undefined,
  trace: { requestId: 'r' },
};
const sent = {
  userId: 1,
  input,
  context: { items: [{ request: 'one', response: 'two' }], inputTokensMax: 100 },
};
/** Three tokens. */
const answer = 'one two three';

describe('usage', () => {
  test('reported by the provider is stored as reported, with its total', async () => {
    const reported = {
      promptTokens: 5,
      completionTokens: 1,
      totalTokens: 9,
      cachedTokens: 4,
      cacheWriteTokens: 1,
      reasoningTokens: 0,
    };
    const usage = await countUsage({ ...noUsage, ...reported }, sent, answer);
    expect(usage).toEqual({ ...noUsage, ...reported, source: 'provider' });
  });

  test('that is absent is estimated: all texts that were sent, and four tokens for each', async () => {
    const texts = await Promise.all(
      ['Be brief', 'one', 'two', 'three'].map((text) => estimateTokens([text])),
    );
    const prompt = texts.reduce((sum, tokens) => sum + tokens + 4, 0);
    const estimated = { promptTokens: prompt, completionTokens: 3, source: 'estimated' };
    expect(await countUsage(noUsage, sent, answer)).toMatchObject({
      ...estimated,
      totalTokens: prompt + 3,
    });
    const alone = {
      userId: 1,
      input: { ...input, systemPrompt: '' },
      context: { items: [], inputTokensMax: 100 },
    };
    expect((await countUsage(noUsage, alone, '')).promptTokens).toBe((texts[3] ?? 0) + 4);
  });

  test('of a left stream is as reported, unless more was delivered', async () => {
    const output = { written: answer, reasoning: '' };
    const delivered = (completionTokens: number | null) =>
      countPart({ ...noUsage, promptTokens: 7, completionTokens }, sent, output);
    expect(await delivered(4)).toMatchObject({ completionTokens: 4, source: 'provider' });
    expect(await delivered(3)).toMatchObject({ completionTokens: 3, source: 'provider' });
    expect(await delivered(2)).toMatchObject({ completionTokens: 3, source: 'estimated' });
    expect(await delivered(null)).toMatchObject({ completionTokens: 3, source: 'estimated' });
    // A count reported before the end does not cover what was delivered later.
    const reported = { ...noUsage, promptTokens: 7, completionTokens: 2, totalTokens: 9 };
    expect((await countPart(reported, sent, output)).totalTokens).toBe(10);
  });
});

/** A model at this many micro-rubles a token. */
const modelAt = (inputTokens: number, outputTokens: number, fix: number) =>
  ({
    price: {
      inputTokens: inputTokens * 1_000_000,
      outputTokens: outputTokens * 1_000_000,
      inputFix: fix,
      outputFix: fix,
    },
    operatorPrice: null,
  }) as CatalogueModel;

describe('a charge', () => {
  const dear = modelAt(10, 20, 5);
  const cheap = modelAt(1, 2, 3);
  const used = { promptTokens: 10, completionTokens: 10, totalTokens: 20 };
  const counted = { ...used, source: 'provider' as const };

  test('is the lower one of the two models, whichever was requested', () => {
    for (const [requested, served] of [
      [dear, cheap],
      [cheap, dear],
    ] as const) {
      expect(chargeForAnswer(requested, served, counted, 1_000)).toEqual({
        request: 13,
        response: 23,
        lost: 0,
        operatorCost: null,
        warnings: [],
      });
      // Without the fixed price of an answer.
      expect(chargeWithoutAnswer(requested, served, used, 1_000)).toEqual({
        request: 13,
        response: 20,
        lost: 0,
        operatorCost: null,
        warnings: [],
      });
    }
  });

  test('without an answer is due if a count is reported, and nothing otherwise', () => {
    const reported = (promptTokens: number | null, completionTokens: number | null) => {
      const usage = { promptTokens, completionTokens };
      const { request, response } = chargeWithoutAnswer(cheap, cheap, usage, 1_000);
      return [request, response];
    };
    expect(reported(10, null)).toEqual([13, 0]);
    expect(reported(null, 10)).toEqual([3, 20]);
    expect(reported(0, null)).toEqual([3, 0]);
    expect(reported(null, null)).toEqual([0, 0]);
  });

  test('is never above the hold, and says when it was cut', () => {
    const warnings = [expect.any(String)];
    const cut = { request: 13, response: 7, operatorCost: null, warnings };
    expect(chargeForAnswer(cheap, cheap, counted, 20)).toEqual({ ...cut, lost: 16 });
    expect(chargeWithoutAnswer(cheap, cheap, used, 20)).toEqual({ ...cut, lost: 13 });
  });
});
