import type { Catalogue } from '../../catalogue/index.ts';
import { inOrder, type Piece, type ToolCall } from '../../providers/index.ts';
import type { EventBatch, SendResult, StreamEvent } from './send-result.ts';

/** A stored answer as a stream: the same events as the first time, but each text in one piece. */
export async function replayed(
  catalogue: Pick<Catalogue, 'versionView'>,
  result: SendResult,
): Promise<EventBatch[]> {
  const { roomId, id, askedAt, versionId } = result;
  const { type } = await catalogue.versionView(versionId);
  // The URL of an image is not text.
  const text = type === 'TEXT' ? result.response : '';
  const content = result.choices ? [] : [...inOrder({ ...result, text })];
  return [
    [{ type: 'start', roomId, id, askedAt }],
    [{ type: 'served', versionId }],
    ...content.map((piece): EventBatch => [eventOf(piece)]),
    [{ type: 'done', result }],
  ];
}

/** A part of an answer as an event of a stream. */
export function eventOf(
  piece: Piece<ToolCall>,
): Extract<StreamEvent, { type: 'delta' | 'tool_call' | 'reasoning' }> {
  switch (piece.type) {
    case 'text':
      return { type: 'delta', text: piece.text };
    case 'call':
      return { type: 'tool_call', index: piece.index, ...piece.call };
    case 'reasoning':
      return { type: 'reasoning', text: piece.block.text, seal: piece.block.seal };
  }
}
