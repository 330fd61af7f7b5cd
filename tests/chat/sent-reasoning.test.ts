/** Reasoning that a client sends back is input for providers that accept it, and raises no hold for others. */
import { describe, expect, test } from 'bun:test';
import { conversationKind, type ConversationSend } from '../../src/chat/send/kinds/conversation.ts';
import {
  createProvider,
  isSentBack,
  type ProviderSetup,
  type ReasoningBlock,
} from '../../src/providers/index.ts';
import { dialects } from '../support/databases.ts';
import { openWorld, TEXT_MODEL } from '../support/world.ts';

const LARGE = 'encrypted'.repeat(100);
const call = { id: 'call-1', name: 'look', arguments: '{}' };
const item = { id: 'rs_1', summary: [], encrypted_content: LARGE };

const reasoning: Record<string, ReasoningBlock> = {
  unsigned: { text: LARGE },
  anthropic: { text: 'Hm', seal: { by: 'anthropic', signature: LARGE } },
  gemini: { text: '', seal: { by: 'gemini', callId: call.id, signature: LARGE } },
  openai: { text: 'Hm', seal: { by: 'openai', model: 'gpt-5', item } },
};
const names = Object.keys(reasoning);

const messagesWith = (all: readonly ReasoningBlock[]) => [
  { role: 'user' as const, content: 'Look' },
  { role: 'assistant' as const, content: null, toolCalls: [call], reasoning: all },
  { role: 'tool' as const, toolCallId: call.id, content: '{}' },
];

describe('reasoning is sent back', () => {
  for (const { kind, options, model = 'gpt-5', gets } of [
    { kind: 'openai', options: { api: 'chat' }, gets: [] as string[] },
    { kind: 'openai', options: { api: 'responses' }, gets: ['openai'] },
    { kind: 'openai', options: { api: 'responses' }, model: 'gpt-5-mini', gets: [] },
    { kind: 'anthropic', options: {}, gets: ['anthropic'] },
    { kind: 'gemini', options: {}, gets: ['gemini'] },
    { kind: 'yandex', options: { folder: 'f' }, gets: [] },
  ]) {
    test(`by ${kind} ${JSON.stringify(options)} for ${model}: ${gets.join() || 'none'}`, async () => {
      const bodies: string[] = [];
      using server = Bun.serve({
        port: 0,
        async fetch(request) {
          bodies.push(await request.text());
          return new Response('no', { status: 400 });
        },
      });
      const setup: ProviderSetup = {
        code: 'recording',
        kind,
        options,
        baseUrl: `http://127.0.0.1:${server.port}/v1`,
        apiKey: 'sk-recording',
        timeoutSeconds: 60,
      };
      const sent: string[] = [];
      for (const name of names) {
        const messages = messagesWith([reasoning[name] as ReasoningBlock]);
        await createProvider(setup)
          .generateText({ model, messages, maxOutputTokens: 100 }, AbortSignal.timeout(200_000))
          .catch(() => undefined);
        if (bodies.at(-1)?.includes(LARGE)) sent.push(name);
      }
      expect(bodies).toHaveLength(names.length);
      expect(sent).toEqual(gets);
      const accepting = names.filter((name) =>
        isSentBack(setup, model, reasoning[name] as ReasoningBlock),
      );
      expect(accepting).toEqual(gets);
    });
  }
});

const CHAT = TEXT_MODEL;
const WITH_FALLBACK = 301;
const CLAUDE = 302;
const DEEPSEEK = 303;

for (const dialect of dialects) {
  test(`${dialect}: a hold counts the reasoning that the model or a fallback may get`, async () => {
    await using world = await openWorld(dialect, {
      models: [
        { id: CHAT },
        { id: CLAUDE, provider: 'claude', model: 'claude-sonnet-4-5' },
        { id: DEEPSEEK, provider: 'deepseek', model: 'deepseek-chat' },
        { id: WITH_FALLBACK, model: 'other', fallbacks: [CLAUDE] },
      ],
      providers: () => ({
        claude: { kind: 'anthropic', api_key: 'sk-claude' },
        deepseek: { kind: 'openai', base_url: 'https://api.deepseek.com/v1', api_key: 'sk-deep' },
      }),
    });
    const { core } = world.gateway;
    const boundOf = async (id: number, all: readonly ReasoningBlock[]): Promise<number> => {
      const model = core.catalogue.get(id);
      if (!model) throw new Error(`no model ${id}`);
      const conversation = { messages: messagesWith(all), options: {} };
      const input = { conversation } as unknown as ConversationSend;
      return (await conversationKind.context(core, 1, model, input)).inputTokensMax;
    };
    const bare = await boundOf(CHAT, []);
    const counted = async (id: number): Promise<string[]> => {
      const bounds = await Promise.all(
        names.map((name) => boundOf(id, [reasoning[name] as ReasoningBlock])),
      );
      return names.filter((_, at) => (bounds[at] ?? 0) >= bare + LARGE.length);
    };
    expect(await boundOf(CHAT, Object.values(reasoning))).toBe(bare);
    expect(await counted(CHAT)).toEqual([]);
    expect(await counted(CLAUDE)).toEqual(['anthropic']);
    expect(await counted(WITH_FALLBACK)).toEqual(['anthropic']);
    expect(await counted(DEEPSEEK)).toEqual(['unsigned']);
  });
}
