import { z } from 'zod';
import type { Rooms } from '../../chat/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { userOperation } from '../operation.ts';
import { pageLimit, rubles, rublesOf, unixSeconds } from '../schemas.ts';

const MS_PER_SECOND = 1000;

export const roomsOperation = (rooms: Rooms) =>
  userOperation({
    path: '/ai/rooms/',
    tag: 'AI',
    summary: 'List your rooms',
    description: 'Newest first by last use.',
    body: z.object({
      limit: pageLimit.optional(),
      before: unixSeconds.nullish().meta({ description: 'Only rooms used before this time.' }),
    }),
    result: z.object({
      rooms: z.array(
        z.object({
          room_id: z.string(),
          title: z.string().meta({ description: 'The first words of the first message.' }),
          message_count: z.int(),
          spend: rubles,
          created_at: unixSeconds,
          last_used_at: unixSeconds,
        }),
      ),
    }),
    errors: [],
    handle: async (body, { caller }) => {
      const before = body.before == null ? undefined : body.before * MS_PER_SECOND;
      const list = await rooms.list(caller.userId, body.limit ?? 100, before);
      return {
        rooms: list.map((room) => ({
          room_id: room.roomId,
          title: room.title,
          message_count: room.messageCount,
          spend: rublesOf(room.spend),
          created_at: toUnixSeconds(room.createdAt),
          last_used_at: toUnixSeconds(room.lastUsedAt),
        })),
      };
    },
  });
