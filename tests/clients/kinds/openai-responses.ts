/** `openai`, the Responses API. */
import OpenAI from 'openai';
import type { Response as Answer, ResponseInputItem } from 'openai/resources/responses/responses';
import { costIn, type ChatRequest, type Client, type ClientKind, type Turn } from '../client.ts';
import { openAi, openAiException } from './openai-chat.ts';

export const openAiResponses: ClientKind = {
  name: 'openai (responses)',
  make: (dial) => new OpenAiResponsesClient(openAi(dial)),
  exceptionFor: openAiException,
  statusOf: (error) => (error instanceof OpenAI.APIError ? error.status : undefined),
};

class OpenAiResponsesClient implements Client {
  readonly #openai: OpenAI;

  constructor(openai: OpenAI) {
    this.#openai = openai;
  }

  async send(request: ChatRequest) {
    return replyOf(await this.#openai.responses.create(bodyOf(request), optionsOf(request)));
  }

  async *stream(request: ChatRequest) {
    const runner = this.#openai.responses.stream(bodyOf(request), optionsOf(request));
    for await (const event of runner) {
      if (event.type === 'response.output_text.delta') yield event.delta;
    }
    return replyOf(await runner.finalResponse());
  }
}

function optionsOf({ signal }: ChatRequest) {
  return signal ? { signal } : {};
}

function bodyOf({ turns, model = 'mini', temperature, tool, schema }: ChatRequest) {
  return {
    model,
    input: turns.flatMap(itemsOf),
    ...(temperature !== undefined && { temperature }),
    ...(tool && { tools: [{ type: 'function' as const, strict: false, ...tool }] }),
    ...(schema && {
      text: { format: { type: 'json_schema' as const, name: 'answer', schema, strict: true } },
    }),
  };
}

function itemsOf(turn: Turn): ResponseInputItem[] {
  switch (turn.role) {
    case 'system':
      return [{ role: 'system', content: turn.text }];
    case 'tool':
      return [{ type: 'function_call_output', call_id: turn.callId, output: turn.text }];
    case 'assistant':
      return turn.calls.map(({ id, name, arguments: args }) => ({
        type: 'function_call' as const,
        call_id: id,
        name,
        arguments: JSON.stringify(args),
      }));
    case 'user':
      if (turn.image === undefined) return [{ role: 'user', content: turn.text }];
      return [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: turn.text },
            { type: 'input_image', image_url: turn.image, detail: 'auto' },
          ],
        },
      ];
  }
}

function replyOf({ output, output_text: text, usage }: Answer) {
  const calls = output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) as unknown }]
      : [],
  );
  return {
    text,
    calls,
    promptTokens: usage?.input_tokens ?? Number.NaN,
    completionTokens: usage?.output_tokens ?? Number.NaN,
    cost: costIn(usage),
  };
}
