import type { ImageStore } from '../images/index.ts';
import type { Users } from '../users/index.ts';
import type { Rooms } from './rooms.ts';

/**
 * Erases a user with the texts and images of all rooms; the books stay. Erasing twice is harmless.
 * @throws `not_found`; `forbidden` for the last admin
 */
export async function eraseUser(
  { users, rooms, images }: { users: Users; rooms: Rooms; images: ImageStore },
  userId: number,
): Promise<void> {
  // Set anew by each try of the transaction.
  let imageIds: string[] = [];
  await users.erase(userId, async (tx) => {
    imageIds = await rooms.eraseAll(tx, userId);
  });
  for (const id of imageIds) await images.remove(id);
}
