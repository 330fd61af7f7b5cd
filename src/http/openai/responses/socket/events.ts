import { createParser } from 'eventsource-parser';
import type { DomainError } from '../../../../lib/errors.ts';
import { openAiError } from '../../../compatible/errors.ts';
import { compatibleStatusOf } from '../../../errors.ts';

const ends = new Set(['response.completed', 'response.incomplete', 'response.failed']);
const withResponse = new Set([
  ...ends,
  'response.created',
  'response.queued',
  'response.in_progress',
]);

/** A response as its last event shows it. */
export interface EndedResponse {
  id: string;
  store: boolean;
  status: string;
  output: readonly unknown[];
}

/**
 * Reads the events of a streamed response.
 * @param previousId the `previous_response_id` that the events show; undefined: unchanged
 * @param send takes each event as JSON
 * @returns the response if it ended, undefined if the stream broke
 */
export async function relayEvents(
  stream: AsyncIterable<Uint8Array>,
  previousId: string | undefined,
  send: (text: string) => Promise<void>,
): Promise<EndedResponse | undefined> {
  const decoder = new TextDecoder();
  const events: { event?: string | undefined; data: string }[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  let ended: EndedResponse | undefined;
  for await (const bytes of stream) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const { event = '', data } of events.splice(0)) {
      let text = data;
      if (ends.has(event) || (previousId !== undefined && withResponse.has(event))) {
        const read = JSON.parse(data) as { response: EndedResponse };
        if (ends.has(event)) ended = read.response;
        if (previousId !== undefined) {
          const response = { ...read.response, previous_response_id: previousId };
          text = JSON.stringify({ ...read, response });
        }
      }
      await send(text);
    }
  }
  return ended;
}

/** The event for a request that failed before its response began. */
export function errorEvent(error: DomainError): string {
  return failureEvent(compatibleStatusOf(error.code), openAiError(error));
}

/** @param error in the shape of OpenAI's interface */
export function failureEvent(status: number, error: unknown): string {
  return JSON.stringify({ type: 'error', status, error });
}
