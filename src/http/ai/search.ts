import { z } from 'zod';
import { type Piece, roomView } from '../../chat/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { idGiven, named, unixSeconds } from '../schemas.ts';
import { roomFields } from './rooms.ts';

const QUERY_CHARS_MAX = 200;
const MATCHES = 20;
const MATCHES_MAX = 50;

const pieces = z
  .array(named('TextPiece', { text: z.string(), is_match: z.boolean() }))
  .describe('Plain text in pieces, to be joined; those that match are marked.');

export const searchOperation = ({ search }: OperationParts) =>
  userOperation({
    path: '/ai/search/',
    right: 'chat',
    summary: 'Search your messages',
    description:
      'Finds the rooms whose titles have all words of the query, and the messages whose request and answer have them together. Words of three letters and more also match longer words that begin with them; on PostgreSQL other forms of Russian and English words are found, too. The 1,000 rooms used last, the newest 50,000 messages, and the first 30,000 characters of a text are searched.',
    body: z.object({
      query: z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(QUERY_CHARS_MAX, `must have at most ${QUERY_CHARS_MAX} characters`)
        .describe('Words, at most 10. Other characters separate them.'),
      limit: z
        .int()
        .min(1)
        .max(MATCHES_MAX)
        .nullish()
        .meta({ description: 'The highest number of rooms, and of messages.', default: MATCHES })
        .transform((limit) => limit ?? MATCHES),
      before: idGiven.nullish().describe('For the next page: `next` of this one.'),
    }),
    example: { query: 'hello' },
    result: z.object({
      rooms: z
        .array(named('FoundRoom', { ...roomFields, pieces }))
        .describe('By title, the most recently used first; on the first page only.'),
      messages: z
        .array(
          named('FoundMessage', {
            room_id: z.string(),
            title: z.string().describe('The title of the room.'),
            message_id: z.int(),
            created_at: unixSeconds,
            pieces,
          }),
        )
        .describe('The newest first.'),
      next: z.int().nullable().describe('The `before` of the next page; null: this is the last.'),
      not_indexed: z
        .int()
        .describe('How many of your newest messages are not searched yet: ask again in a while.'),
    }),
    handle: async ({ query, limit, before }, { caller }) => {
      const found = await search.find(caller.userId, { query, limit, before: before ?? undefined });
      return {
        rooms: found.rooms.map(({ room, title }) => ({
          ...roomView(room),
          pieces: title.map(pieceView),
        })),
        messages: found.messages.map(({ id, roomId, title, createdAt, excerpt }) => ({
          room_id: roomId,
          title,
          message_id: id,
          created_at: toUnixSeconds(createdAt),
          pieces: excerpt.map(pieceView),
        })),
        next: found.next,
        not_indexed: found.notIndexed,
      };
    },
  });

function pieceView({ text, isMatch }: Piece) {
  return { text, is_match: isMatch };
}
