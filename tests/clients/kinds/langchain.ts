/** `@langchain/openai`. */
import { ChatOpenAI } from '@langchain/openai';
import type { ChatRequest, Client, ClientKind, Dial, Turn } from '../client.ts';

/** It includes its own `openai`, whose classes can't be compared with those of ours. */
const exceptionNames: Record<number, string> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  409: 'ConflictError',
  422: 'UnprocessableEntityError',
  429: 'RateLimitError',
};

export const langChain: ClientKind = {
  name: '@langchain/openai',
  make: (dial) => new LangChainClient(dial),
  exceptionFor: (status) => {
    const name = exceptionNames[status] ?? (status >= 500 ? 'InternalServerError' : 'APIError');
    return class Named extends Error {
      static override [Symbol.hasInstance](error: unknown): boolean {
        return error instanceof Error && error.constructor.name === name;
      }
    };
  },
  statusOf: (error) =>
    typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined,
};

class LangChainClient implements Client {
  readonly #dial: Dial;

  constructor(dial: Dial) {
    this.#dial = dial;
  }

  async send(request: ChatRequest) {
    return replyOf(await this.#model(request).invoke(messagesOf(request), optionsOf(request)));
  }

  async *stream(request: ChatRequest) {
    let whole: Chunk | undefined;
    for await (const chunk of await this.#model(request).stream(
      messagesOf(request),
      optionsOf(request),
    )) {
      whole = whole ? whole.concat(chunk) : chunk;
      if (chunk.text !== '') yield chunk.text;
    }
    if (!whole) throw new Error('the stream had no chunk');
    return replyOf(whole);
  }

  #model({ model = 'mini', temperature }: ChatRequest): ChatOpenAI {
    const { origin, key, headers, retries = 0, fetch } = this.#dial;
    return new ChatOpenAI({
      model,
      apiKey: key,
      maxRetries: retries,
      ...(temperature !== undefined && { temperature }),
      configuration: {
        baseURL: `${origin}/v1`,
        ...(headers && { defaultHeaders: headers }),
        ...(fetch && { fetch }),
      },
    });
  }
}

type Invoked = Awaited<ReturnType<ChatOpenAI['invoke']>>;
type Chunk = Invoked;

function optionsOf({ signal, tool, schema }: ChatRequest) {
  return {
    ...(signal && { signal }),
    ...(tool && { tools: [{ type: 'function' as const, function: tool }] }),
    ...(schema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: 'answer', schema, strict: true },
      },
    }),
  };
}

function messagesOf({ turns }: ChatRequest) {
  return turns.map((turn: Turn) => {
    switch (turn.role) {
      case 'system':
        return { role: 'system', content: turn.text };
      case 'tool':
        return { role: 'tool', tool_call_id: turn.callId, content: turn.text };
      case 'assistant':
        return {
          role: 'assistant',
          content: '',
          tool_calls: turn.calls.map(({ id, name, arguments: args }) => ({
            id,
            type: 'function',
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
  });
}

/** The fields of a message that are read; its own type depends on generics that get lost on the way. */
interface AnyMessage {
  text: string;
  tool_calls?: { id?: string; name: string; args: unknown }[];
  usage_metadata?: { input_tokens: number; output_tokens: number } | undefined;
}

function replyOf({ text, tool_calls: calls = [], usage_metadata: usage }: AnyMessage) {
  return {
    text,
    calls: calls.map(({ id = '', name, args }) => ({ id, name, arguments: args })),
    promptTokens: usage?.input_tokens ?? Number.NaN,
    completionTokens: usage?.output_tokens ?? Number.NaN,
    // It keeps only the token counts of usage.
    cost: undefined,
  };
}
