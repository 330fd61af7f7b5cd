/** How much of the input fits a model, and how many tokens the hold covers. */
import { describe, expect, test } from 'bun:test';
import type { CatalogueModel } from '../../src/catalogue/index.ts';
import { TokenBudget, TOKENS_PER_MESSAGE } from '../../src/chat/context/context.ts';
import { fitConversation } from '../../src/chat/send/kinds/conversation.ts';
import { fitEmbedding } from '../../src/chat/send/kinds/embedding.ts';
import { imageKind, type ImageSend } from '../../src/chat/send/kinds/image.ts';
import type { TextOptions } from '../../src/chat/send/kinds/kind.ts';
import { estimateTokens } from '../../src/chat/context/tokens.ts';
import type { Message } from '../../src/providers/index.ts';

/** A token per byte: 100 of them. */
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

  test("are at most the model's input limit", async () => {
    const budget = new TokenBudget(60);
    expect(await budget.take([sparse])).toBe(true);
    expect(budget.upperBound).toBe(60);
  });
});

describe('a text fits', () => {
  test('if it has no more bytes than the model takes tokens', async () => {
    expect(await new TokenBudget(100 + TOKENS_PER_MESSAGE).take([dense])).toBe(true);
  });

  test('with more bytes if all texts together have no more tokens', async () => {
    const tokens = await estimateTokens([sparse]);
    expect(tokens).toBeLessThan(50);
    const budget = new TokenBudget(2 * tokens);
    for (const fits of [true, true, false]) expect(await budget.take([sparse])).toBe(fits);
    expect(await budget.take(['a'])).toBe(false);
  });

  test('by tokens, including those of texts that were first accepted by their bytes', async () => {
    expect(await estimateTokens([dense])).toBe(100);
    const budget = new TokenBudget(130);
    expect(await budget.take([dense])).toBe(true);
    expect(await budget.take([dense])).toBe(false);
    expect(await budget.take([sparse])).toBe(true);
    expect(await budget.take([sparse])).toBe(false);
  });

  test('and one that does not fit leaves the bound unchanged', async () => {
    const budget = new TokenBudget(150);
    expect(await budget.take([dense])).toBe(true);
    expect(await budget.take([dense])).toBe(false);
    expect(budget.upperBound).toBe(100 + TOKENS_PER_MESSAGE);
  });
});

describe('the bound', () => {
  const boundOf = async (messages: Message[], options: TextOptions = {}) =>
    (await fitConversation({ messages, options }, 4_000, { isSent: () => true })).inputTokensMax;

  test('of a conversation includes all that a provider reads as text', async () => {
    const question: Message = { role: 'user', content: 'Hi' };
    expect(await boundOf([question])).toBe(2 + 16);
    const call = { id: 'c', name: 'look', arguments: '{"at":1}' };
    const called: Message = { role: 'assistant', content: null, toolCalls: [call] };
    const callLength = JSON.stringify(call).length;
    expect(await boundOf([question, called])).toBe(2 + 16 + 16 + callLength + 16);
    const tools = [{ name: 'look', parameters: { type: 'object' } }];
    const ofTools = JSON.stringify(tools).length + 16;
    expect(await boundOf([question], { tools })).toBe(2 + 16 + ofTools);
    // No provider reads the caller's metadata as text.
    const marked = tools.map((tool) => ({ ...tool, cacheBreakpoint: true as const }));
    expect(await boundOf([question], { tools: marked })).toBe(2 + 16 + ofTools);
    const responseFormat = { type: 'json_object' as const };
    const ofFormat = JSON.stringify(responseFormat).length + 16;
    expect(await boundOf([question], { tools, responseFormat })).toBe(2 + 16 + ofTools + ofFormat);
  });

  test('includes reasoning that the client sends back, but does not refuse a request for it', async () => {
    const reasoningOf = (reasoning: string): Message[] => [
      { role: 'assistant', content: 'a', reasoning: [{ text: reasoning }] },
      { role: 'user', content: 'Hi' },
    ];
    expect(await boundOf(reasoningOf('я'))).toBe(1 + 16 + 2 + 16 + 2);
    expect(await boundOf(reasoningOf(dense.repeat(100)))).toBe(4_000);
  });

  test('includes ids, names, stop texts and the user, in bytes, but does not refuse a request for them', async () => {
    const question: Message = { role: 'user', content: 'Hi' };
    const base = 2 + 16;
    const result = (toolCallId: string): Message => ({ role: 'tool', toolCallId, content: 'ok' });
    expect(await boundOf([question, result('я'.repeat(500))])).toBe(base + 2 + 16 + 1_000);
    expect(await boundOf([question], { stop: ['конец', 'end'] })).toBe(base + 10 + 3);
    expect(await boundOf([question], { user: 'u'.repeat(300) })).toBe(base + 300);
    expect(await boundOf([question], { reasoningEffort: 'high' })).toBe(base + 4);
    expect(await boundOf([question], { toolChoice: { name: 'look' } })).toBe(base + 4);
    expect(await boundOf([question], { user: dense.repeat(100) })).toBe(4_000);
    expect(await boundOf([question, result(dense.repeat(100))])).toBe(4_000);
  });

  test('of an image includes the words for its size and quality', async () => {
    const image = { prompt: 'Hi', size: '1024x1024', quality: 'high' };
    const model = { maxInputTokens: 4_000 } as CatalogueModel;
    const parts = { images: { url: () => '' } } as unknown as Parameters<
      typeof imageKind.context
    >[0];
    const { inputTokensMax } = await imageKind.context(parts, 1, model, image as ImageSend);
    expect(inputTokensMax).toBe(2 + 16 + 9 + 4);
  });

  test("with an image is the model's input limit", async () => {
    const image = { type: 'image' as const, url: 'https://example.com/a.png' };
    const content = [{ type: 'text' as const, text: 'What is it?' }, image];
    expect(await boundOf([{ role: 'user', content }])).toBe(4_000);
  });

  test("of embeddings is the sum of the texts' bounds, each within the model's limit", async () => {
    const { inputTokensMax } = await fitEmbedding([dense, 'Hi', sparse], 110);
    expect(inputTokensMax).toBe(110 + 18 + 110);
  });
});
