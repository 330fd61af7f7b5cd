import { openAiError } from '../../compatible/errors.ts';
import { toDomainError } from '../../errors.ts';
import { joined } from '../../event-stream.ts';
import {
  failedResponse,
  isBackground,
  openResponse,
  type ResponseFacts,
  responseView,
  statusOf,
} from './answer.ts';
import { EvenEvents } from './even-events.ts';
import { Items, Numbered, type ResponseEvent, type Start } from './stream-items.ts';

type Writer = (event: ResponseEvent) => string;

/**
 * Writes a streamed send as events of the Responses API. A broken stream ends with `error` and `response.failed`,
 * without `response.completed`. `error` contains the error twice: flat, as in the API, and as an object, by which
 * OpenAI's SDKs recognise a failure.
 * @param after for a background response: events up to this number are left out, except a failure
 */
export function responseWriter(facts: ResponseFacts, after?: number): Writer {
  const write = eventWriter(facts, new Numbered(after));
  if (!isBackground(facts)) return write;
  const even = new EvenEvents();
  return (event) => joined(even.take(event).map(write));
}

function eventWriter(requested: ResponseFacts, numbered: Numbered): Writer {
  let facts = requested;
  let start: Start | undefined;
  let items: Items | undefined;
  return (event) => {
    switch (event.type) {
      case 'served': {
        facts = { ...facts, model: event.model };
        return start && isBackground(facts) ? opened('response.in_progress', start) : '';
      }
      case 'start': {
        start = event;
        items = new Items(event, numbered, facts);
        const next = isBackground(facts) ? 'response.queued' : 'response.in_progress';
        return opened('response.created', event) + opened(next, event);
      }
      case 'delta':
        return joined(items?.text(event.text));
      case 'reasoning':
        return joined(items?.reasoning(event));
      case 'tool_call':
        return joined(items?.call(event));
      case 'error': {
        const error = openAiError(toDomainError(event.error));
        numbered.catchUp();
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

  function opened(type: string, of: Start): string {
    const isWaiting = isBackground(facts) && type !== 'response.in_progress';
    const response = openResponse(of, facts, isWaiting ? 'queued' : 'in_progress');
    return numbered.line(type, { response });
  }
}
