import type { SendResult } from '../../../chat/index.ts';
import type { NamedEvent, NamedEventWriter } from '../../compatible/endpoints.ts';
import { openAiError } from '../../compatible/errors.ts';
import { toDomainError } from '../../errors.ts';
import { eventLines, joined } from '../../event-stream.ts';
import { itemId } from './ids.ts';
import { namedTool, type NamedTools } from './tools.ts';
import {
  callItem,
  type CallOfFunction,
  failedResponse,
  messageItem,
  openResponse,
  type OutputItem,
  type ResponseFacts,
  responseView,
  statusOf,
  textPart,
} from './answer.ts';

type Start = Extract<NamedEvent, { type: 'start' }>;
type ToolCallEvent = Extract<NamedEvent, { type: 'tool_call' }>;

/**
 * Writes a streamed send as events of the Responses API. A broken stream ends with `error` and `response.failed`, without
 * `response.completed`. `error` contains the error twice: flat, as in the API, and as an object, by which OpenAI's SDKs
 * recognise a failure.
 */
export function responseWriter(requested: ResponseFacts): NamedEventWriter {
  let facts = requested;
  const numbered = new Numbered();
  let start: Start | undefined;
  let items: Items | undefined;
  return (event) => {
    switch (event.type) {
      case 'served':
        facts = { ...facts, model: event.model };
        return '';
      case 'start': {
        start = event;
        items = new Items(event, numbered, facts.named);
        const response = openResponse(event, facts);
        const created = numbered.line('response.created', { response });
        return created + numbered.line('response.in_progress', { response });
      }
      case 'delta':
        return joined(items?.text(event.text));
      case 'tool_call':
        return joined(items?.call(event));
      case 'error': {
        const error = openAiError(toDomainError(event.error));
        const line = numbered.line('error', { ...error, type: 'error', error });
        if (!start) return line;
        return (
          line + numbered.line('response.failed', { response: failedResponse(start, facts, error) })
        );
      }
      case 'done': {
        const { result } = event;
        const ends = joined(items?.end(result));
        const response = responseView(result, facts, items?.output ?? []);
        return ends + numbered.line(`response.${statusOf(result)}`, { response });
      }
    }
  };
}

/** Numbers the events of one stream. */
class Numbered {
  #next = 0;

  line(type: string, data: Record<string, unknown>): string {
    return eventLines(type, { type, sequence_number: this.#next++, ...data });
  }
}

/** A call while it is streamed, with its index in the output. */
interface OpenCall extends CallOfFunction {
  at: number;
  position: number;
}

/** The items of the output while they grow. All are closed at the end, since pieces of calls may alternate. */
class Items {
  /** The complete items, when the stream has ended. */
  readonly output: OutputItem[] = [];
  readonly #of: Start;
  readonly #numbered: Numbered;
  readonly #tools: NamedTools;
  #count = 0;
  #textAt: number | undefined;
  #text = '';
  readonly #calls = new Map<number, OpenCall>();

  constructor(of: Start, numbered: Numbered, tools: NamedTools) {
    this.#of = of;
    this.#tools = tools;
    this.#numbered = numbered;
  }

  *text(delta: string): Generator<string> {
    if (this.#textAt === undefined) {
      this.#textAt = this.#count++;
      yield this.#added(this.#textAt, messageItem(this.#of, 'in_progress', null));
      yield this.#line('response.content_part.added', this.#place({ part: textPart('') }));
    }
    this.#text += delta;
    yield this.#line('response.output_text.delta', this.#place({ delta, logprobs: [] }));
  }

  *call({ index, id = '', name = '', arguments: delta }: ToolCallEvent): Generator<string> {
    let call = this.#calls.get(index);
    if (!call) {
      const [at, position] = [this.#count++, this.#calls.size];
      call = { id, name, arguments: '', at, position };
      this.#calls.set(index, call);
      yield this.#added(at, this.#callItem('in_progress', call));
    }
    call.arguments += delta;
    // The text of a custom tool is within its arguments, so it is known when they are complete.
    if (delta === '' || !this.#isFunction(call)) return;
    yield this.#line('response.function_call_arguments.delta', {
      item_id: itemId('fc', this.#of, call.position),
      output_index: call.at,
      delta,
    });
  }

  *end(result: SendResult): Generator<string> {
    const status = statusOf(result);
    if (this.#textAt !== undefined) {
      const text = this.#text;
      yield this.#line('response.output_text.done', this.#place({ text, logprobs: [] }));
      yield this.#line('response.content_part.done', this.#place({ part: textPart(text) }));
      yield this.#done(this.#textAt, messageItem(this.#of, status, text));
    }
    for (const call of this.#calls.values()) {
      const item = this.#callItem(status, call);
      const place = { item_id: item.id, output_index: call.at };
      const { name, arguments: args, input } = item;
      if (item['type'] === 'function_call') {
        const whole = { ...place, name, arguments: args };
        yield this.#line('response.function_call_arguments.done', whole);
      } else if (item['type'] === 'custom_tool_call') {
        yield this.#line('response.custom_tool_call_input.delta', { ...place, delta: input });
        yield this.#line('response.custom_tool_call_input.done', { ...place, input });
      }
      yield this.#done(call.at, item);
    }
  }

  #callItem(status: string, call: OpenCall): OutputItem {
    return callItem(this.#of, status, call.position, call, this.#tools);
  }

  #isFunction({ name }: OpenCall): boolean {
    return (namedTool(this.#tools, name)?.type ?? 'function') === 'function';
  }

  #added(at: number, item: OutputItem): string {
    return this.#line('response.output_item.added', { output_index: at, item });
  }

  #done(at: number, item: OutputItem): string {
    this.output[at] = item;
    return this.#line('response.output_item.done', { output_index: at, item });
  }

  /** Adds the text's position in the output. */
  #place(data: Record<string, unknown>): Record<string, unknown> {
    return {
      item_id: itemId('msg', this.#of),
      output_index: this.#textAt,
      content_index: 0,
      ...data,
    };
  }

  #line(type: string, data: Record<string, unknown>): string {
    return this.#numbered.line(type, data);
  }
}
