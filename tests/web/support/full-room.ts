/** Rooms with more messages than a test can send. */
import { columnList, prepareInsert, tables } from '../../../src/db/index.ts';
import type { RowFor } from '../../../src/db/index.ts';
import type { Gateway } from '../../support/gateway.ts';
import type { Chatter } from '../../support/world.ts';

const addMessages = prepareInsert(tables.messages);

/** The texts of a long room. */
export const requestOf = (number: number): string => `request ${number}`;
export const answerOf = (number: number): string => `response ${number} `.repeat(20);

/** Copies the user's first message until there are this many: the requests are `request 2`, `request 3`, … */
export async function fillRoom(
  { core: { db } }: Gateway,
  user: Pick<Chatter, 'userId' | 'room'>,
  count: number,
): Promise<void> {
  const [first] = await db.query<RowFor<typeof addMessages>>(
    `SELECT ${columnList(tables.messages)} FROM messages WHERE user_id = $1 AND id = 1`,
    [user.userId],
  );
  if (!first) throw new Error('the user has no message to copy');
  const rows = Array.from({ length: count - 1 }, (_, at) => ({
    ...first,
    id: at + 2,
    request: requestOf(at + 2),
    response: answerOf(at + 2),
  }));
  await db.transaction(async (tx) => {
    await addMessages(tx, rows);
    await tx.query('UPDATE accounts SET last_message_id = $1 WHERE user_id = $2', [
      count,
      user.userId,
    ]);
    await tx.query("UPDATE rooms SET recent = '' WHERE room_id = $1", [user.room]);
  });
}
