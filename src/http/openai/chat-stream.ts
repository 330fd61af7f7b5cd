import type { StreamEvent } from '../../chat/index.ts';
import { toUnixSeconds, type Clock } from '../../lib/clock.ts';
import { toDomainError } from '../errors.ts';
import {
  completionId,
  finishReasonView,
  usageView,
  warningsView,
  type AboutAnswer,
} from './chat-answer.ts';
import { openAiError } from './errors.ts';

export interface ChunkOptions extends AboutAnswer {
  clock: Clock;
  includeUsage: boolean;
}

/**
 * A streamed send as chat completion chunks. The last chunk with usage has no choices and carries the cost.
 * A stream that breaks ends in an error chunk and without `[DONE]`, so that no client takes it for whole.
 */
export async function* completionChunks(
  events: AsyncGenerator<StreamEvent>,
  { clock, includeUsage, ...about }: ChunkOptions,
): AsyncGenerator<string> {
  const { model } = about;
  const created = toUnixSeconds(clock.now());
  let id = '';
  let before: string | undefined;
  const chunk = (delta: object, finishReason: string | null = null, more: object = {}): string =>
    line({
      ...{ id, object: 'chat.completion.chunk', created, model },
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...more,
    });
  for await (const event of events) {
    switch (event.type) {
      case 'start':
        id = completionId(event);
        yield chunk({ role: 'assistant', content: '' });
        break;
      case 'delta':
        before ??= deltaHead({ id, created, model });
        yield `${before}${JSON.stringify(event.text)}${deltaTail}`;
        break;
      case 'tool_call': {
        const { index, id: callId, name, arguments: args } = event;
        // The first piece names the call; later ones only add arguments.
        const first = callId === undefined ? {} : { id: callId, type: 'function' };
        const call = { index, ...first, function: { ...(name && { name }), arguments: args } };
        yield chunk({ tool_calls: [call] });
        break;
      }
      case 'error':
        yield line({ error: openAiError(toDomainError(event.error)) });
        break;
      case 'done': {
        const { result } = event;
        yield chunk({}, finishReasonView(result.finishReason), warningsView(result, about));
        if (includeUsage) {
          const usage = usageView(result);
          yield line({
            ...{ id, object: 'chat.completion.chunk', created, model },
            ...{ choices: [], usage },
          });
        }
        yield 'data: [DONE]\n\n';
      }
    }
  }
}

/** A chunk of text up to the text: the same for all of a stream, and what a stream mostly consists of. */
function deltaHead({ id, created, model }: { id: string; created: number; model: string }): string {
  const about = JSON.stringify({ id, object: 'chat.completion.chunk', created, model });
  return `data: ${about.slice(0, -1)},"choices":[{"index":0,"delta":{"content":`;
}
const deltaTail = '},"logprobs":null,"finish_reason":null}]}\n\n';

function line(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
