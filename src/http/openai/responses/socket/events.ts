import { createParser } from 'eventsource-parser';
import { uuidHex } from '../../../../lib/ids.ts';
import { toUnixSeconds } from '../../../../lib/clock.ts';
import type { DomainError } from '../../../../lib/errors.ts';
import { parseBody } from '../../../body/check.ts';
import { openAiError } from '../../../compatible/errors.ts';
import { compatibleStatusOf } from '../../../errors.ts';
import { askedView, openResponse } from '../answer.ts';
import { refuseUnsupported, responseBody, type ResponseBody } from '../body.ts';
import type { Fields } from './create-event.ts';

/** The events that end a response. */
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
  /** Length of the event. */
  units: number;
}

/**
 * Reads the events of a streamed response.
 * @param previousId what the events show as `previous_response_id`; undefined: as they are
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
        const read = JSON.parse(data) as { response: Omit<EndedResponse, 'units'> };
        if (ends.has(event)) ended = { ...read.response, units: data.length };
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

/**
 * The events for `generate: false`: a response without output, for which no model is called and nothing is charged. Agents
 * send their first input this way, and continue the response.
 * @param now milliseconds
 * @throws `invalid_request`
 */
export function emptyResponse(given: Fields, now: number): { id: string; events: string[] } {
  refuseUnsupported(given);
  const body = parseBody(responseBody, given) as ResponseBody;
  const facts = { asked: askedView(body, false), model: body.model, named: {}, sealed: false };
  const id = `resp_${uuidHex()}`;
  const open = { ...openResponse({ roomId: '', id: 0, askedAt: now }, facts), id };
  const usage = {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0,
    cost: 0,
    cost_currency: 'RUB',
  };
  const done = { ...open, status: 'completed', completed_at: toUnixSeconds(now), usage };
  const events = [
    { type: 'response.created', sequence_number: 0, response: open },
    { type: 'response.in_progress', sequence_number: 1, response: open },
    { type: 'response.completed', sequence_number: 2, response: done },
  ];
  return { id, events: events.map((event) => JSON.stringify(event)) };
}
