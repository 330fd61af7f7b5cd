import type { NamedEventWriter } from '../../compatible/endpoints.ts';
import { openAiError } from '../../compatible/errors.ts';
import { toDomainError } from '../../errors.ts';
import { joined } from '../../event-stream.ts';
import {
  failedResponse,
  openResponse,
  type ResponseFacts,
  responseView,
  statusOf,
} from './answer.ts';
import { Items, Numbered, type Start } from './stream-items.ts';

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
        items = new Items(event, numbered, facts);
        const response = openResponse(event, facts);
        const created = numbered.line('response.created', { response });
        return created + numbered.line('response.in_progress', { response });
      }
      case 'delta':
        return joined(items?.text(event.text));
      case 'thought':
        return joined(items?.thought(event));
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
