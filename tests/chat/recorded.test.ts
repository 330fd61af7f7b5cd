/** What the history stores of long texts under `/v1`. */
import { describe, expect, test } from 'bun:test';
import { conversationKind } from '../../src/chat/send/kinds/conversation.ts';
import { embeddingKind } from '../../src/chat/send/kinds/embedding.ts';
import { recorded, RECORDED_MAX_BYTES } from '../../src/chat/send/kinds/recorded.ts';

const base = { roomId: 'r', ai: 1, traceparent: undefined, trace: { requestId: 'q' } };

describe('a recorded text', () => {
  test('is whole up to the limit', () => {
    for (const letter of ['a', 'ж', '世', '😀']) {
      const text = letter.repeat(RECORDED_MAX_BYTES / Buffer.byteLength(letter));
      expect(recorded(text) === text).toBe(true);
    }
  });

  test('above it is cut between characters, and says how much is missing', () => {
    for (const letter of ['a', 'ж', '世', '😀']) {
      const text = letter.repeat(RECORDED_MAX_BYTES / 2);
      const cut = recorded(`${text}.${text}`);
      const [kept = '', note] = cut.split('\n');
      const bytes = Buffer.byteLength(kept);
      expect(kept.isWellFormed()).toBe(true);
      expect(`${text}.${text}`.startsWith(kept)).toBe(true);
      expect(bytes).toBeLessThanOrEqual(RECORDED_MAX_BYTES);
      expect(bytes).toBeGreaterThan(RECORDED_MAX_BYTES - 4);
      const all = Buffer.byteLength(letter) * RECORDED_MAX_BYTES + 1;
      expect(note).toBe(`[${all - bytes} more bytes were sent]`);
    }
  });

  test('is the last message, the instructions, and the texts of embeddings', () => {
    const long = 'a'.repeat(RECORDED_MAX_BYTES + 10);
    const cut = `${'a'.repeat(RECORDED_MAX_BYTES)}\n[10 more bytes were sent]`;
    const conversation = {
      messages: [
        { role: 'system' as const, content: long },
        { role: 'user' as const, content: long },
      ],
      options: {},
    };
    const limits = { maxOutputTokens: undefined, temperature: undefined, seed: undefined };
    const chat = conversationKind.stored({
      kind: 'conversation',
      ...base,
      ...limits,
      conversation,
    });
    expect(chat.systemPrompt === cut && chat.request === cut).toBe(true);
    const texts = { texts: [long], dimensions: undefined };
    const vectors = embeddingKind.stored({ kind: 'embedding', ...base, ...texts });
    expect(vectors.request === cut).toBe(true);
  });
});
