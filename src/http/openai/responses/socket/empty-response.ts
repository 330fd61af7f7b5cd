import { toUnixSeconds } from '../../../../lib/clock.ts';
import { uuidHex } from '../../../../lib/ids.ts';
import { parseLargeBody } from '../../../body/check.ts';
import { requestedView, openResponse } from '../answer.ts';
import { refuseUnsupported, responseBody, type ResponseBody } from '../body.ts';

/** A response without output, for which no model is called and nothing is charged. */
export interface EmptyResponse {
  id: string;
  /** As JSON. */
  events: string[];
}

/**
 * The events for `generate: false`. Agents send their first input this way, and then continue the response.
 * @throws `invalid_request`
 */
export function emptyResponse(given: Record<string, unknown>, now: number): EmptyResponse {
  refuseUnsupported(given);
  const body = parseLargeBody(responseBody, given) as ResponseBody;
  const facts = { asked: requestedView(body, false), model: body.model, named: {}, sealed: false };
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
