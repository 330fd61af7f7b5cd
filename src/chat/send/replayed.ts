import type { Catalogue } from '../../catalogue/index.ts';
import type { EventBatch, SendResult } from './send-result.ts';

/** A stored answer as a stream: the events of the first one, but with the text in one piece. */
export async function replayed(
  catalogue: Pick<Catalogue, 'versionView'>,
  result: SendResult,
): Promise<EventBatch[]> {
  const { roomId, id, askedAt, versionId } = result;
  const { type } = await catalogue.versionView(versionId);
  const isText = type === 'TEXT' && !result.choices;
  const calls = result.choices ? [] : result.toolCalls;
  return [
    [{ type: 'start', roomId, id, askedAt }],
    [{ type: 'served', versionId }],
    // The address of an image is no text.
    isText && result.response !== '' ? [{ type: 'delta', text: result.response }] : [],
    ...calls.map((call, index): EventBatch => [{ type: 'tool_call', index, ...call }]),
    [{ type: 'done', result }],
  ].filter(({ length }) => length > 0) as EventBatch[];
}
