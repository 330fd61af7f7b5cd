import { z } from 'zod';
import { roomView, type Rooms } from '../../chat/index.ts';
import { userOperation } from '../operation.ts';
import { pageLimit, roomId, rubles, unixSeconds } from '../schemas.ts';

export const roomsOperation = (rooms: Rooms) =>
  userOperation({
    path: '/ai/rooms/',
    tag: 'AI',
    right: 'chat',
    summary: 'List your rooms',
    description: 'The room used last comes first.',
    body: z.object({
      limit: pageLimit,
      before: roomId
        .nullish()
        .meta({ description: 'For the next page: the last room_id of this one.' }),
    }),
    result: z.object({
      rooms: z.array(
        z.object({
          room_id: z.string(),
          title: z.string().meta({
            description:
              'The first words of the first message that was answered; empty until there is one.',
          }),
          message_count: z.int(),
          spend: rubles,
          created_at: unixSeconds,
          last_used_at: unixSeconds,
        }),
      ),
    }),
    errors: ['room_not_found'],
    handle: async (body, { caller }) => {
      const { limit, before } = body;
      const list = await rooms.list(caller.userId, limit, before ?? undefined);
      return { rooms: list.map(roomView) };
    },
  });
