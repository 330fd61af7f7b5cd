/** The Vercel AI SDK with `@ai-sdk/openai-compatible`. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  generateText,
  jsonSchema,
  Output,
  streamText,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import {
  costIn,
  type ChatRequest,
  type Client,
  type ClientKind,
  type Dial,
  type Turn,
} from '../client.ts';

export const aiSdk: ClientKind = {
  name: '@ai-sdk/openai-compatible',
  make: (dial) => new AiSdkClient(dial),
  exceptionFor: () => APICallError,
  statusOf: (error) => (APICallError.isInstance(error) ? error.statusCode : undefined),
};

export function aiSdkProvider({ origin, key, headers, fetch }: Dial) {
  return createOpenAICompatible({
    name: 'zastava',
    baseURL: `${origin}/v1`,
    apiKey: key,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(headers && { headers }),
    ...(fetch && { fetch }),
  });
}

class AiSdkClient implements Client {
  readonly #provider: ReturnType<typeof aiSdkProvider>;
  readonly #retries: number;

  constructor(dial: Dial) {
    this.#provider = aiSdkProvider(dial);
    this.#retries = dial.retries ?? 0;
  }

  async send(request: ChatRequest) {
    const { text, toolCalls, usage } = await generateText(this.#settings(request));
    return replyOf(text, toolCalls, usage);
  }

  async *stream(request: ChatRequest) {
    // It returns errors as parts, and would also print them to the console.
    const result = streamText({ ...this.#settings(request), onError: () => undefined });
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') yield part.text;
      if (part.type === 'error') throw part.error;
    }
    return replyOf(await result.text, await result.toolCalls, await result.usage);
  }

  #settings({ turns, model = 'mini', temperature, tool: offered, schema, signal }: ChatRequest) {
    const system = turns.flatMap((turn) => (turn.role === 'system' ? [turn.text] : [])).join('\n');
    return {
      model: this.#provider(model),
      maxRetries: this.#retries,
      messages: turns.flatMap(messagesOf),
      ...(system !== '' && { system }),
      ...(temperature !== undefined && { temperature }),
      ...(offered && { tools: toolsOf(offered) }),
      ...(schema && { output: Output.object({ schema: jsonSchema(schema) }) }),
      ...(signal && { abortSignal: signal }),
    };
  }
}

function toolsOf({ name, description, parameters }: NonNullable<ChatRequest['tool']>): ToolSet {
  return { [name]: { description, inputSchema: jsonSchema<never>(parameters) } };
}

function messagesOf(turn: Turn): ModelMessage[] {
  switch (turn.role) {
    case 'system':
      return [];
    case 'tool':
      return [
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: turn.callId,
              toolName: turn.name,
              output: { type: 'text', value: turn.text },
            },
          ],
        },
      ];
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: turn.calls.map(({ id, name, arguments: input }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input,
          })),
        },
      ];
    case 'user':
      if (turn.image === undefined) return [{ role: 'user', content: turn.text }];
      return [
        {
          role: 'user',
          content: [
            { type: 'text', text: turn.text },
            { type: 'file', data: turn.image, mediaType: 'image/png' },
          ],
        },
      ];
  }
}

interface ReportedUsage {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  raw?: object | undefined;
}

function replyOf(
  text: string,
  calls: readonly { toolCallId: string; toolName: string; input: unknown }[],
  { inputTokens, outputTokens, raw }: ReportedUsage,
) {
  return {
    text,
    calls: calls.map(({ toolCallId: id, toolName: name, input }) => ({
      id,
      name,
      arguments: input,
    })),
    promptTokens: inputTokens ?? Number.NaN,
    completionTokens: outputTokens ?? Number.NaN,
    cost: costIn(raw),
  };
}
