import { toUnixSeconds } from '../../lib/clock.ts';
import { toDomainError } from '../errors.ts';
import {
  completionId,
  finishReasonView,
  thoughtsView,
  usageView,
  warningsView,
  type AboutAnswer,
} from './chat-answer.ts';
import { openAiError } from './errors.ts';
import type { NamedEvent, NamedEventWriter } from '../compatible/endpoints.ts';

type ToolCallEvent = Extract<NamedEvent, { type: 'tool_call' }>;

export interface ChunkOptions extends AboutAnswer {
  includeUsage: boolean;
}

/**
 * Writes a streamed send as chat completion chunks. The last chunk with usage has no choices, and contains the cost.
 * Chunks name the requested model until it is known which model answers. A broken stream ends with an error chunk and
 * without `[DONE]`, so that no client takes it for complete.
 */
export function chunkWriter({ includeUsage, ...about }: ChunkOptions): NamedEventWriter {
  const head = { id: '', created: 0, model: about.model };
  let before = '';
  const chunk = (delta: object, finishReason: string | null = null, more: object = {}): string =>
    chunkLine(head, {
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...more,
    });
  return (event) => {
    switch (event.type) {
      case 'served':
        head.model = event.model;
        before = deltaHead(head);
        return '';
      case 'start':
        head.id = completionId(event);
        head.created = toUnixSeconds(event.askedAt);
        before = deltaHead(head);
        return chunk({ role: 'assistant', content: '' });
      case 'delta':
        return `${before}${JSON.stringify(event.text)}${deltaTail}`;
      case 'tool_call':
        return chunk({ tool_calls: [callView(event)] });
      case 'error':
        return line({ error: openAiError(toDomainError(event.error)) });
      case 'done': {
        const { result } = event;
        const thoughts = result.thoughts ? chunk(thoughtsView(result)) : '';
        const last = chunk({}, finishReasonView(result.finishReason), warningsView(result, about));
        const usage = { choices: [], usage: usageView(result) };
        return `${thoughts}${last}${includeUsage ? chunkLine(head, usage) : ''}data: [DONE]\n\n`;
      }
    }
  };
}

interface ChunkHead {
  id: string;
  created: number;
  model: string;
}

/** The first piece names the call. Later pieces only add arguments. */
function callView({ index, id, name, arguments: args }: ToolCallEvent): object {
  const first = id === undefined ? {} : { id, type: 'function' };
  return { index, ...first, function: { ...(name && { name }), arguments: args } };
}

function chunkLine({ id, created, model }: ChunkHead, data: object): string {
  return line({ id, object: 'chat.completion.chunk', created, model, ...data });
}

/** The part of a text chunk before its text. It is the same for the whole stream, which is mostly text chunks. */
function deltaHead({ id, created, model }: ChunkHead): string {
  const about = JSON.stringify({ id, object: 'chat.completion.chunk', created, model });
  return `data: ${about.slice(0, -1)},"choices":[{"index":0,"delta":{"content":`;
}
const deltaTail = '},"logprobs":null,"finish_reason":null}]}\n\n';

function line(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
