import type { Sql } from '../../db/index.ts';
import { invalidField } from '../../lib/errors.ts';

/** The id of the message that this one replaced, from its stored parameters; undefined if it replaced none. */
export function replacedBy(parameters: string): number | undefined {
  // Almost no message replaces another one.
  if (!parameters.includes('"replaces"')) return undefined;
  return (JSON.parse(parameters) as { replaces?: number }).replaces;
}

/**
 * The items of a room that a new one continues. An item that replaces an earlier one also replaces everything between
 * them, since that continued the replaced text.
 */
export class Branch {
  #before: number;

  /** @param before all later messages are left out */
  constructor(before = Infinity) {
    this.#before = before;
  }

  /** Call it with the answered items of the room, newest first. */
  has({ id, parameters }: { id: number; parameters: string }): boolean {
    if (id >= this.#before) return false;
    this.#before = replacedBy(parameters) ?? id;
    return true;
  }
}

/**
 * The message that a new one replaces. If that message itself replaced another, it is the other one, so that all tries
 * name the first.
 * @throws `invalid_request` when the room has no such message
 */
export async function firstTry(
  sql: Sql,
  userId: number,
  roomId: string,
  id: number,
): Promise<number> {
  const [message] = await sql.query<{ parameters: string }>(
    `SELECT m.parameters FROM messages m
     JOIN rooms r ON r.room_id = m.room_id AND r.deleted_at IS NULL AND m.id > r.erased_through
     WHERE m.user_id = $1 AND m.id = $2 AND m.room_id = $3`,
    [userId, id, roomId],
  );
  if (!message) throw invalidField('context_before', 'this room has no message with this id');
  return replacedBy(message.parameters) ?? id;
}
