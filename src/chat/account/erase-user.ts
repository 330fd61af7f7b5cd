import type { ImageStore } from '../../images/index.ts';
import type { Users } from '../../users/index.ts';
import type { Rooms } from '../rooms/rooms.ts';

/**
 * Erases a user with the texts and images of all rooms; the books stay. Erasing twice is harmless.
 * Texts that remain after a crash or a database outage, and images that could not be deleted now, are removed by a later
 * sweep or by erasing again.
 * @throws `not_found`; `forbidden` for the last admin
 */
export async function eraseUser(
  { users, rooms, images }: { users: Users; rooms: Rooms; images: ImageStore },
  userId: number,
): Promise<void> {
  await users.erase(userId, (tx) => rooms.deleteAll(tx, userId));
  await rooms.erasure.ofUser(userId);
  await images.removal.ofUser(userId);
}
