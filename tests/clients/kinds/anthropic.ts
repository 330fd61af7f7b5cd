/** `@anthropic-ai/sdk`, messages. */
import Anthropic from '@anthropic-ai/sdk';
import type { Message, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import {
  costIn,
  type ChatRequest,
  type Client,
  type ClientKind,
  type Dial,
  type Turn,
} from '../client.ts';

export const anthropicMessages: ClientKind = {
  name: '@anthropic-ai/sdk',
  make: (dial) => new AnthropicClient(anthropic(dial)),
  exceptionFor,
  statusOf: (error) =>
    error instanceof Anthropic.APIError ? (error.status as unknown) : undefined,
};

export function anthropic({ origin, key, headers, retries = 0, fetch }: Dial): Anthropic {
  return new Anthropic({
    baseURL: origin,
    apiKey: key,
    maxRetries: retries,
    ...(headers && { defaultHeaders: headers }),
    ...(fetch && { fetch }),
  });
}

function exceptionFor(status: number) {
  switch (status) {
    case 400:
      return Anthropic.BadRequestError;
    case 401:
      return Anthropic.AuthenticationError;
    case 403:
      return Anthropic.PermissionDeniedError;
    case 404:
      return Anthropic.NotFoundError;
    case 409:
      return Anthropic.ConflictError;
    case 422:
      return Anthropic.UnprocessableEntityError;
    case 429:
      return Anthropic.RateLimitError;
    default:
      return status >= 500 ? Anthropic.InternalServerError : Anthropic.APIError;
  }
}

class AnthropicClient implements Client {
  readonly #anthropic: Anthropic;

  constructor(client: Anthropic) {
    this.#anthropic = client;
  }

  async send(request: ChatRequest) {
    return replyOf(await this.#anthropic.messages.create(bodyOf(request), optionsOf(request)));
  }

  async *stream(request: ChatRequest) {
    const runner = this.#anthropic.messages.stream(bodyOf(request), optionsOf(request));
    for await (const event of runner) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
        yield event.delta.text;
      }
    }
    return replyOf(await runner.finalMessage());
  }
}

function optionsOf({ signal }: ChatRequest) {
  return signal ? { signal } : {};
}

function bodyOf({ turns, model = 'mini', temperature, tool, schema }: ChatRequest) {
  const system = turns.flatMap((turn) => (turn.role === 'system' ? [turn.text] : [])).join('\n');
  return {
    model,
    max_tokens: 1_000,
    messages: merged(turns),
    ...(system !== '' && { system }),
    ...(temperature !== undefined && { temperature }),
    ...(tool && {
      tools: [{ name: tool.name, description: tool.description, input_schema: tool.parameters }],
    }),
    ...(schema && { output_config: { format: { type: 'json_schema' as const, schema } } }),
  };
}

/** Results of several calls are in one message of the user. */
function merged(turns: Turn[]): MessageParam[] {
  const results = turns.flatMap((turn) =>
    turn.role === 'tool'
      ? [{ type: 'tool_result' as const, tool_use_id: turn.callId, content: turn.text }]
      : [],
  );
  const messages = turns.flatMap(messagesOf);
  return results.length === 0 ? messages : [...messages, { role: 'user', content: results }];
}

function messagesOf(turn: Turn): MessageParam[] {
  if (turn.role === 'assistant') {
    const content = turn.calls.map(({ id, name, arguments: input }) => ({
      type: 'tool_use' as const,
      id,
      name,
      input,
    }));
    return [{ role: 'assistant', content }];
  }
  if (turn.role !== 'user') return [];
  if (turn.image === undefined) return [{ role: 'user', content: turn.text }];
  const data = turn.image.slice(turn.image.indexOf(',') + 1);
  return [
    {
      role: 'user',
      content: [
        { type: 'text', text: turn.text },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      ],
    },
  ];
}

function replyOf({ content, usage }: Message) {
  return {
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
    ),
    promptTokens: usage.input_tokens,
    completionTokens: usage.output_tokens,
    cost: costIn(usage),
  };
}
