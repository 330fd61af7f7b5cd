import { z } from 'zod';
import type { Rooms } from '../../chat/index.ts';
import type { ImageStore } from '../../images/index.ts';
import { userOperation } from '../operation.ts';
import { roomId } from '../schemas.ts';

export const roomDeleteOperation = (rooms: Rooms, images: ImageStore) =>
  userOperation({
    path: '/ai/room/delete/',
    tag: 'AI',
    right: 'chat',
    summary: 'Delete a room',
    description: 'Erases its texts and images for good; the rows with their costs stay.',
    body: z.object({ room_id: roomId }),
    result: z.object({ room_id: z.string(), deleted: z.literal(true) }),
    errors: ['room_not_found'],
    // A room may have millions of messages.
    slow: true,
    handle: async (body, { caller }) => {
      await rooms.delete(caller.userId, body.room_id);
      await images.removal.ofUser(caller.userId);
      return { room_id: body.room_id, deleted: true as const };
    },
  });
