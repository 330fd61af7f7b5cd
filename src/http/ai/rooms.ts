import { z } from 'zod';
import { roomIdPattern, roomView } from '../../chat/index.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { exampleRoom, named, pageLimit, roomId, rubles, unixSeconds } from '../schemas.ts';

/** The fields of a room, as `roomView` shows it. */
export const roomFields = {
  room_id: z.string(),
  title: z
    .string()
    .describe('Your own, or else the first words of its first answered message, or empty.'),
  message_count: z.int(),
  spend: rubles,
  created_at: unixSeconds,
  last_used_at: unixSeconds,
};

const TITLE_CHARS_MAX = 200;

export const roomOperation = ({ rooms }: OperationParts) =>
  userOperation({
    path: '/ai/room/',
    right: 'chat',
    summary: 'Create a room, or claim a room id',
    description:
      'Without a room_id (or with null) the answer is a new room. A free id becomes yours; an id that is yours is returned.',
    body: z.object({
      room_id: z
        .string()
        .meta({ minLength: 32, maxLength: 32, pattern: roomIdPattern.source })
        .nullish()
        .describe('Exactly 32 characters of 0-9, A-Z, a-z, _ and -.'),
    }),
    example: { room_id: exampleRoom },
    result: z.object({ room_id: z.string() }),
    errors: ['room_taken'],
    handle: async (body, { caller }) => ({
      room_id: await rooms.register(caller.userId, body.room_id ?? null),
    }),
  });

export const roomListOperations = ({ images, rooms }: OperationParts) => [
  userOperation({
    path: '/ai/rooms/',
    right: 'chat',
    summary: 'List your rooms',
    description: 'The most recently used room comes first.',
    body: z.object({
      limit: pageLimit,
      before: roomId.nullish().describe('For the next page: the last room_id of this one.'),
    }),
    result: z.object({ rooms: z.array(named('Room', roomFields)) }),
    errors: ['room_not_found'],
    handle: async ({ limit, before }, { caller }) => {
      const list = await rooms.list(caller.userId, limit, before ?? undefined);
      return { rooms: list.map(roomView) };
    },
  }),

  userOperation({
    path: '/ai/room/rename/',
    right: 'chat',
    summary: 'Rename a room',
    description: 'A room without a title of its own shows the beginning of its first message.',
    body: z.object({
      room_id: roomId,
      title: z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(TITLE_CHARS_MAX, `must have at most ${TITLE_CHARS_MAX} characters`),
    }),
    example: { room_id: exampleRoom, title: 'A room of mine' },
    result: z.object({ room_id: z.string(), title: z.string() }),
    errors: ['room_not_found'],
    handle: async ({ room_id: id, title }, { caller }) => {
      await rooms.rename(caller.userId, id, title);
      return { room_id: id, title };
    },
  }),

  userOperation({
    path: '/ai/room/delete/',
    right: 'chat',
    summary: 'Delete a room',
    description: 'Erases its texts and images for good. The records of its costs stay.',
    body: z.object({ room_id: roomId }),
    example: { room_id: exampleRoom },
    result: z.object({ room_id: z.string(), deleted: z.literal(true) }),
    errors: ['room_not_found'],
    // A room may have millions of messages.
    slow: true,
    handle: async ({ room_id: id }, { caller }) => {
      await rooms.delete(caller.userId, id);
      await images.removal.ofUser(caller.userId);
      return { room_id: id, deleted: true as const };
    },
  }),
];
