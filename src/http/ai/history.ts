import { z } from 'zod';
import type { History } from '../../chat/index.ts';
import { jsonStream } from '../json-stream.ts';
import { userOperation } from '../operation.ts';
import { HISTORIES_PER_MINUTE } from '../read-limits.ts';
import { exampleRoom, idGiven, roomId } from '../schemas.ts';
import { historyItem, historyItemView, type HistoryViewParts } from './history-item.ts';

export const historyOperation = (history: History, view: HistoryViewParts) =>
  userOperation({
    path: '/ai/history/',
    right: 'chat',
    summary: 'Read the history of a room',
    description:
      'Messages with an answer, including stopped ones, oldest first. All of them, unless `limit` is given.',
    body: z.object({
      room_id: roomId.nullable().meta({ description: 'null: the room that you used last.' }),
      include_failed: z
        .boolean()
        .nullish()
        .meta({ description: 'true: also messages without an answer.' }),
      limit: z
        .int()
        .min(1)
        .nullish()
        .meta({ description: 'Only this many of the newest messages.' }),
      before: idGiven.nullish().meta({ description: 'Only messages before this message_id.' }),
    }),
    example: { room_id: exampleRoom },
    result: z.object({ room_id: z.string(), data: z.array(historyItem) }),
    errors: ['room_not_found'],
    slow: true,
    callsPerMinute: HISTORIES_PER_MINUTE,
    handle: async (body, { caller }) => {
      const { roomId: id, pages } = await history.read(caller.userId, {
        roomId: body.room_id,
        includeFailed: body.include_failed ?? false,
        limit: body.limit ?? undefined,
        before: body.before ?? undefined,
      });
      return jsonStream(historyJson(id, pages, view));
    },
  });

type Pages = Awaited<ReturnType<History['read']>>['pages'];

/** The envelope in pieces, a page at a time, so that a large room does not fill the memory. */
async function* historyJson(
  id: string,
  pages: Pages,
  view: HistoryViewParts,
): AsyncGenerator<string> {
  let separator = '';
  let text = `{"status":"ok","data":{"room_id":${JSON.stringify(id)},"data":[`;
  for await (const page of pages) {
    for (const item of page) {
      text += separator + JSON.stringify(await historyItemView(view, item));
      separator = ',';
    }
    yield text;
    text = '';
  }
  yield `${text}]}}`;
}
