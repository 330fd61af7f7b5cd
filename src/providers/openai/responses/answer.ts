import { z } from 'zod';
import { EventReader, reasoningLeftOut } from '../../shared/answer-reader.ts';
import { parseJsonText } from '../../shared/body.ts';
import type { SseEvent } from '../../shared/sse.ts';
import { REASONING_GAP } from '../../shared/reasoning.ts';
import type { Sent } from '../../shared/unsupported.ts';
import { anything, asRecord, label, section, text } from '../../shared/wire.ts';
import type { FinishPart, FinishReason, TextPart } from '../../spec.ts';
import { errorIn } from '../errors.ts';
import { CallKeeper, type KeptCalls } from '../kept-calls.ts';
import { readUsage } from '../usage.ts';

const wireResponse = z.object({
  id: label,
  model: label,
  status: label,
  usage: anything,
  incomplete_details: section({ reason: label }),
});
const wireWhole = wireResponse.extend({ output: z.array(anything) });

const wireItem = z.object({
  id: label,
  type: anything,
  call_id: label,
  name: label,
  arguments: text,
  content: z.array(z.object({ type: anything, text, refusal: text })).nullish(),
  encrypted_content: text,
  summary: z.array(z.object({ type: anything, text })).nullish(),
});

type WireReasoning = Pick<
  z.output<typeof wireItem>,
  'id' | 'encrypted_content' | 'summary' | 'content'
>;

const wireEvent = z.object({
  type: z.string(),
  output_index: z.number().optional(),
  summary_index: z.number().optional(),
  delta: anything,
  item: anything,
  response: anything,
});

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['completed', 'stop'],
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
]);

interface ResponsesSent extends Sent {
  /** The model that was called: its reasoning is sent back only to it. */
  model: string;
  kept: KeptCalls;
}

/** Reads a response, whole or from the events of a stream. Items of other types add nothing to the answer. */
export class ResponseReader extends EventReader<ResponsesSent> {
  readonly reasons = reasons;
  readonly #keeper = new CallKeeper(this.sent.kept);
  /** The positions of the calls that have begun. */
  readonly #begun = new Set<number>();
  /** Calls whose arguments came in deltas, and reasoning whose text did. */
  readonly #streamed = new Set<number>();

  read({ data }: SseEvent): TextPart[] {
    const fields = parseJsonText(data);
    const event = this.check(wireEvent, fields);
    switch (event.type) {
      case 'response.output_text.delta':
        return this.addText(typeof event.delta === 'string' ? event.delta : '');
      case 'response.refusal.delta':
        this.refused = true;
        return [];
      case 'response.function_call_arguments.delta':
        return this.#addArguments(event.output_index ?? 0, event.delta);
      case 'response.output_item.added':
        return this.#begin(event.item, event.output_index ?? 0);
      case 'response.output_item.done':
        return this.#finishItem(event.item, event.output_index ?? 0);
      case 'response.created':
        this.id = this.check(wireResponse, event.response).id;
        return [];
      case 'response.completed':
      case 'response.incomplete':
        this.done = true;
        return this.#end(event.response);
      case 'response.failed':
        this.throwError(errorIn(event.response));
        throw this.malformed('it ended in an error');
      case 'error':
        this.throwError(errorIn({ error: asRecord(fields)?.['error'] ?? fields }));
        return [];
      default:
        return this.#readReasoning(event);
    }
  }

  #readReasoning({ type, delta, ...at }: z.output<typeof wireEvent>): TextPart[] {
    switch (type) {
      case 'response.reasoning_summary_part.added':
        return (at.summary_index ?? 0) > 0 ? [{ ...reasoningLeftOut, text: REASONING_GAP }] : [];
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        if (typeof delta !== 'string') return [];
        this.#streamed.add(at.output_index ?? 0);
        return [{ ...reasoningLeftOut, text: delta }];
      default:
        return [];
    }
  }

  readWhole(body: unknown): TextPart[] {
    const response = this.check(wireWhole, body);
    this.done = true;
    const parts = response.output.flatMap((value, position): TextPart[] => {
      const { type, content } = this.check(wireItem, value);
      if (type !== 'message') {
        return [...this.#begin(value, position), ...this.#finishItem(value, position)];
      }
      return (content ?? []).flatMap((part) => {
        if (part.refusal !== undefined) this.refused = true;
        return part.type === 'output_text' ? this.addText(part.text ?? '') : [];
      });
    });
    this.#end(body);
    return parts;
  }

  override finish(): FinishPart {
    const part = super.finish();
    this.#keeper.end();
    return part;
  }

  #begin(value: unknown, position: number): TextPart[] {
    const { type, call_id: callId, name } = this.check(wireItem, value);
    if (type === 'reasoning') return [reasoningLeftOut];
    if (type !== 'function_call') return [];
    const id = this.#keeper.ownId(position, callId, undefined);
    this.#begun.add(position);
    return [this.toolCalls.add({ key: position, id, name, arguments: '' })];
  }

  #addArguments(position: number, delta: unknown): TextPart[] {
    if (typeof delta !== 'string' || delta === '') return [];
    if (!this.#begun.has(position)) throw this.malformed('a tool call has no beginning');
    this.#streamed.add(position);
    return [this.toolCalls.add({ key: position, arguments: delta })];
  }

  #finishItem(value: unknown, position: number): TextPart[] {
    const { type, arguments: json = '', ...item } = this.check(wireItem, value);
    if (type === 'reasoning') return this.#finishReasoning(item, position);
    const isWhole = type === 'function_call' && !this.#streamed.has(position);
    return isWhole && json !== '' ? [this.toolCalls.add({ key: position, arguments: json })] : [];
  }

  #finishReasoning(
    { id, encrypted_content, ...item }: WireReasoning,
    position: number,
  ): TextPart[] {
    const summary = (item.summary ?? []).map(({ text: words = '' }) => words);
    const shown =
      summary.length > 0 ? summary : (item.content ?? []).map((part) => part.text ?? '');
    const words = this.#streamed.has(position) ? '' : shown.join(REASONING_GAP);
    if (encrypted_content === undefined || id === null) {
      return words === '' ? [] : [{ ...reasoningLeftOut, text: words }];
    }
    // The fields that the API wants back. The others describe this answer.
    const parts = summary.map((each) => ({ type: 'summary_text' as const, text: each }));
    const kept = { id, summary: parts, encrypted_content };
    const { model } = this.sent;
    this.#keeper.addReasoning({ type: 'reasoning', ...kept }, model);
    return [{ ...reasoningLeftOut, text: words, seal: { by: 'openai', model, item: kept } }];
  }

  #end(value: unknown): TextPart[] {
    const response = this.check(wireResponse, value);
    this.id = response.id ?? this.id;
    this.model = response.model;
    this.rawFinishReason = response.incomplete_details?.reason ?? response.status;
    return this.setUsage(readUsage(response.usage));
  }
}
