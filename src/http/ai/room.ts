import { z } from 'zod';
import { API_ROOM_PREFIX, roomIdPattern, type Rooms } from '../../chat/index.ts';
import { userOperation } from '../operation.ts';

export const roomOperation = (rooms: Rooms) =>
  userOperation({
    path: '/ai/room/',
    tag: 'AI',
    right: 'chat',
    summary: 'Obtain or register a room',
    description:
      'Without a room_id (or with null) a new one is made. A free id is registered to you, one that you own is returned.',
    body: z.object({
      room_id: z
        .string()
        .meta({ minLength: 32, maxLength: 32, pattern: roomIdPattern.source })
        .nullish()
        .meta({
          description: `Exactly 32 characters of 0-9, A-Z, a-z, _ and -; not beginning with ${API_ROOM_PREFIX}, as the gateway's own rooms do.`,
        }),
    }),
    result: z.object({ room_id: z.string() }),
    errors: ['room_taken'],
    handle: async (body, { caller }) => ({
      room_id: await rooms.register(caller.userId, body.room_id ?? null),
    }),
  });
