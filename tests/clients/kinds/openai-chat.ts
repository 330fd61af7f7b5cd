/** `openai`, chat completions. */
import OpenAI from 'openai';
import type { ChatCompletion, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import {
  costIn,
  type ChatRequest,
  type Client,
  type ClientKind,
  type Dial,
  type Turn,
} from '../client.ts';

export const openAiChat: ClientKind = {
  name: 'openai (chat completions)',
  make: (dial) => new OpenAiChatClient(openAi(dial)),
  exceptionFor: openAiException,
  statusOf: (error) => (error instanceof OpenAI.APIError ? error.status : undefined),
};

export function openAi({ origin, key, headers, retries = 0, fetch }: Dial): OpenAI {
  return new OpenAI({
    baseURL: `${origin}/v1`,
    apiKey: key,
    maxRetries: retries,
    ...(headers && { defaultHeaders: headers }),
    ...(fetch && { fetch }),
  });
}

export function openAiException(status: number) {
  switch (status) {
    case 400:
      return OpenAI.BadRequestError;
    case 401:
      return OpenAI.AuthenticationError;
    case 403:
      return OpenAI.PermissionDeniedError;
    case 404:
      return OpenAI.NotFoundError;
    case 409:
      return OpenAI.ConflictError;
    case 422:
      return OpenAI.UnprocessableEntityError;
    case 429:
      return OpenAI.RateLimitError;
    default:
      return status >= 500 ? OpenAI.InternalServerError : OpenAI.APIError;
  }
}

class OpenAiChatClient implements Client {
  readonly #openai: OpenAI;

  constructor(openai: OpenAI) {
    this.#openai = openai;
  }

  async send(request: ChatRequest) {
    const completion = await this.#openai.chat.completions.create(
      bodyOf(request),
      optionsOf(request),
    );
    return replyOf(completion);
  }

  async *stream(request: ChatRequest) {
    const options = { stream_options: { include_usage: true } };
    const runner = this.#openai.chat.completions.stream(
      { ...bodyOf(request), ...options },
      optionsOf(request),
    );
    for await (const chunk of runner) {
      const text = chunk.choices[0]?.delta.content;
      if (text) yield text;
    }
    return replyOf(await runner.finalChatCompletion());
  }
}

function optionsOf({ signal }: ChatRequest) {
  return signal ? { signal } : {};
}

function bodyOf({ turns, model = 'mini', temperature, tool, schema }: ChatRequest) {
  return {
    model,
    messages: turns.map(messageOf),
    ...(temperature !== undefined && { temperature }),
    ...(tool && { tools: [{ type: 'function' as const, function: tool }] }),
    ...(schema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: 'answer', schema, strict: true },
      },
    }),
  };
}

function messageOf(turn: Turn): ChatCompletionMessageParam {
  switch (turn.role) {
    case 'system':
      return { role: 'system', content: turn.text };
    case 'tool':
      return { role: 'tool', tool_call_id: turn.callId, content: turn.text };
    case 'assistant':
      return {
        role: 'assistant',
        content: null,
        tool_calls: turn.calls.map(({ id, name, arguments: args }) => ({
          id,
          type: 'function' as const,
          function: { name, arguments: JSON.stringify(args) },
        })),
      };
    case 'user':
      if (turn.image === undefined) return { role: 'user', content: turn.text };
      return {
        role: 'user',
        content: [
          { type: 'text', text: turn.text },
          { type: 'image_url', image_url: { url: turn.image } },
        ],
      };
  }
}

function replyOf({ choices, usage }: ChatCompletion) {
  const message = choices[0]?.message;
  const calls = (message?.tool_calls ?? []).flatMap((call) =>
    call.type === 'function'
      ? [
          {
            id: call.id,
            name: call.function.name,
            arguments: JSON.parse(call.function.arguments) as unknown,
          },
        ]
      : [],
  );
  return {
    text: message?.content ?? '',
    calls,
    promptTokens: usage?.prompt_tokens ?? Number.NaN,
    completionTokens: usage?.completion_tokens ?? Number.NaN,
    cost: costIn(usage),
  };
}
