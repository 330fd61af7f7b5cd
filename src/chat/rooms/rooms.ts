import { queryIn, type Database, type Tx } from '../../db/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { uuidHex } from '../../lib/ids.ts';
import type { Micro } from '../../lib/money.ts';
import { forgetBytes } from './stored-bytes.ts';
import { ALL_ROOMS, lockAccount, TextErasure } from './text-erasure.ts';

/** An id is exactly 32 characters of this alphabet. */
export const roomIdPattern = /^[0-9A-Za-z_-]{32}$/;

export interface Room {
  roomId: string;
  /** The user's own title, or else the first words of the first answered message; empty before it. */
  title: string;
  messageCount: number;
  spend: Micro;
  createdAt: number;
  lastUsedAt: number;
}

const PAGE_ROWS = 500;

const roomColumns = `room_id AS "roomId", title, message_count AS "messageCount", spend,
  created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

/** A total order, so that pages and the most recently used room agree even if rooms were used at the same time. */
const byUse = 'last_used_at DESC, created_at DESC, room_id DESC';

/** Rooms group the messages of one dialogue. An id belongs to one user for ever. */
export class Rooms {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #maxOfUser: number;
  readonly erasure: TextErasure;

  /** @param maxOfUser how many rooms one user may open, including deleted ones */
  constructor(db: Database, clock: Clock, maxOfUser = Infinity) {
    this.#db = db;
    this.#clock = clock;
    this.#maxOfUser = maxOfUser;
    this.erasure = new TextErasure(db);
  }

  /**
   * Without an id, opens a new room. A free id is registered for the caller; an id that the caller owns is returned (a
   * deleted room comes back empty). Both may be repeated any number of times.
   * @throws `invalid_request` for a malformed id, `room_taken` for another user's, `token_revoked` for a user who was
   * erased
   */
  async register(userId: number, roomId: string | null): Promise<string> {
    if (roomId !== null && !roomIdPattern.test(roomId)) {
      throw invalidField('room_id', 'must be exactly 32 characters of 0-9, A-Z, a-z, _ and -');
    }
    return this.#db.transaction((tx) => this.#open(tx, userId, roomId ?? uuidHex()));
  }

  async #open(tx: Tx, userId: number, id: string): Promise<string> {
    // Under the account's lock, an erasure ends before this room is created, or begins after it. Otherwise a cached
    // token could open a room whose texts would never be erased.
    const { rooms } = await lockAccount(tx, userId);
    const erased = 'SELECT id FROM users WHERE id = $1 AND erased_at IS NOT NULL';
    if ((await tx.query(erased, [userId])).length > 0) {
      const message = 'this user was erased: the credential opens nothing now';
      throw new DomainError('token_revoked', message);
    }
    const own = 'UPDATE rooms SET deleted_at = NULL WHERE room_id = $1 AND user_id = $2';
    const [owned] = await tx.query(`${own} RETURNING room_id`, [id, userId]);
    if (owned) return id;
    if (rooms >= this.#maxOfUser) throw tooManyRooms(this.#maxOfUser);
    const [added] = await tx.query(
      `INSERT INTO rooms (room_id, user_id, title, message_count, spend, created_at, last_used_at,
         erased_through) VALUES ($1, $2, '', 0, 0, $3, $3, 0)
       ON CONFLICT (room_id) DO NOTHING RETURNING room_id`,
      [id, userId, this.#clock.now()],
    );
    if (added) {
      await tx.query('UPDATE accounts SET rooms = rooms + 1 WHERE user_id = $1', [userId]);
      return id;
    }
    throw new DomainError(
      'room_taken',
      'this room_id belongs to another user: choose another, or send null for a new one',
    );
  }

  /** The room that the compatible interfaces write to when the request names no other; opened on first use. */
  async apiRoom(userId: number): Promise<string> {
    // It almost always exists, and a read costs no commit.
    const [open] = await this.#db.query<{ id: string }>(
      `SELECT room_id AS id FROM users JOIN rooms ON room_id = api_room
       WHERE id = $1 AND deleted_at IS NULL`,
      [userId],
    );
    return open?.id ?? this.#db.transaction((tx) => this.#openApiRoom(tx, userId));
  }

  async #openApiRoom(tx: Tx, userId: number): Promise<string> {
    // Concurrent calls open one room.
    await lockAccount(tx, userId);
    const [user] = await tx.query<{ room: string | null }>(
      'SELECT api_room AS room FROM users WHERE id = $1',
      [userId],
    );
    const id = await this.#open(tx, userId, user?.room ?? uuidHex());
    await tx.query('UPDATE users SET api_room = $1 WHERE id = $2', [id, userId]);
    return id;
  }

  /**
   * The most recently used room comes first.
   * @param before the last room of the previous page, even if it was deleted since
   * @throws `room_not_found` for a `before` that never was a room of the user
   */
  async list(userId: number, limit: number, before: string | undefined): Promise<Room[]> {
    if (before === undefined) {
      return this.#db.query<Room>(
        `SELECT ${roomColumns} FROM rooms WHERE user_id = $1 AND deleted_at IS NULL
         ORDER BY ${byUse} LIMIT $2`,
        [userId, limit],
      );
    }
    const [last] = await this.#db.query<Pick<Room, 'lastUsedAt' | 'createdAt'>>(
      `SELECT last_used_at AS "lastUsedAt", created_at AS "createdAt" FROM rooms
       WHERE room_id = $1 AND user_id = $2`,
      [before, userId],
    );
    if (!last) throw roomNotFound();
    return this.#db.query<Room>(
      `SELECT ${roomColumns} FROM rooms WHERE user_id = $1 AND deleted_at IS NULL
         AND (last_used_at, created_at, room_id) < ($3, $4, $5) ORDER BY ${byUse} LIMIT $2`,
      [userId, limit, last.lastUsedAt, last.createdAt, before],
    );
  }

  /**
   * All rooms of a user in pages, in the order of their use. All ids are read first: a use changes a room's place in
   * every index of the user's rooms, and an index with a stable order would cost each send a write.
   */
  async *pages(userId: number): AsyncGenerator<Room[]> {
    const rooms = await this.#db.query<{ id: string }>(
      `SELECT room_id AS id FROM rooms WHERE user_id = $1 AND deleted_at IS NULL
       ORDER BY last_used_at`,
      [userId],
    );
    const text = `SELECT ${roomColumns} FROM rooms
      WHERE room_id IN (LIST) AND deleted_at IS NULL`;
    for (let start = 0; start < rooms.length; start += PAGE_ROWS) {
      const ids = rooms.slice(start, start + PAGE_ROWS).map(({ id }) => id);
      const page = await queryIn<Room>(this.#db, text, ids);
      if (page.length > 0) yield page;
    }
  }

  /** The caller's room with this id, or the most recently used one. @throws `room_not_found` */
  async find(userId: number, roomId: string | null): Promise<Room & { erasedThrough: number }> {
    const [condition, value] = roomId === null ? ['', null] : ['AND room_id = $2', roomId];
    const [room] = await this.#db.query<Room & { erasedThrough: number }>(
      `SELECT ${roomColumns}, erased_through AS "erasedThrough" FROM rooms
       WHERE user_id = $1 AND deleted_at IS NULL ${condition}
       ORDER BY ${byUse} LIMIT 1`,
      value === null ? [userId] : [userId, value],
    );
    if (!room) throw roomNotFound();
    return room;
  }

  /** Gives a room a title of the user's own. @throws `room_not_found` */
  async rename(userId: number, roomId: string, title: string): Promise<void> {
    const [renamed] = await this.#db.transaction((tx) =>
      tx.query(
        `UPDATE rooms SET title = $3
         WHERE room_id = $1 AND user_id = $2 AND deleted_at IS NULL RETURNING room_id`,
        [roomId, userId, title],
      ),
    );
    if (!renamed) throw roomNotFound();
  }

  /**
   * Deletes a room and erases its texts; the rows with their costs stay. The room is gone at once, its texts when this
   * resolves. A message that is still being answered keeps its hold and is charged, but its answer is not stored. The
   * caller has to remove the bytes of the room's images afterwards.
   * @throws `room_not_found`
   */
  async delete(userId: number, roomId: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const { newest } = await lockAccount(tx, userId);
      const now = this.#clock.now();
      const [room] = await tx.query<{ through: number }>(
        `SELECT erased_through AS through FROM rooms
         WHERE room_id = $1 AND user_id = $2 AND deleted_at IS NULL`,
        [roomId, userId],
      );
      if (!room) throw roomNotFound();
      await tx.query(
        `UPDATE rooms SET deleted_at = $1, erased_through = $2, title = '', message_count = 0,
           recent = '' WHERE room_id = $3`,
        [now, newest, roomId],
      );
      await markImages(tx, now, userId, roomId);
      await this.erasure.note(tx, { userId, roomId }, { after: room.through, through: newest });
    });
    await this.erasure.ofRoom(userId, roomId);
  }

  /**
   * Deletes all rooms of a user and the idempotency keys, including those of running sends, in the caller's
   * transaction. The caller then has to erase the texts (`erasure.ofUser`) and the bytes of the images.
   */
  async deleteAll(tx: Tx, userId: number): Promise<void> {
    const { newest } = await lockAccount(tx, userId);
    const now = this.#clock.now();
    await tx.query('DELETE FROM idempotency_keys WHERE user_id = $1', [userId]);
    await tx.query('DELETE FROM search_cursors WHERE user_id = $1', [userId]);
    await tx.query(
      `UPDATE rooms SET deleted_at = COALESCE(deleted_at, $1), erased_through = $2, title = '',
         message_count = 0, recent = '' WHERE user_id = $3`,
      [now, newest, userId],
    );
    await markImages(tx, now, userId);
    await this.erasure.note(tx, { userId, roomId: ALL_ROOMS }, { after: 0, through: newest });
  }
}

/** The error for a room that does not exist, was deleted, or is another user's. */
export function roomNotFound(): DomainError {
  return new DomainError(
    'room_not_found',
    'you have no such room: obtain a room_id from /ai/room/ first',
  );
}

function tooManyRooms(max: number): DomainError {
  return new DomainError(
    'invalid_request',
    `you have opened ${max} rooms, which is the most: use one of them again, also a deleted one, or ask the operator for more (ZASTAVA_USER_ROOMS_MAX)`,
  );
}

/** @param roomId undefined: the images of all rooms of the user */
async function markImages(tx: Tx, now: number, userId: number, roomId?: string): Promise<void> {
  const marked = await tx.query<{ size: number }>(
    `UPDATE images SET erased_at = $1
     WHERE user_id = $2 AND erased_at IS NULL ${roomId === undefined ? '' : 'AND room_id = $3'}
     RETURNING size`,
    roomId === undefined ? [now, userId] : [now, userId, roomId],
  );
  const bytes = marked.reduce((sum, { size }) => sum + size, 0);
  if (bytes > 0) await forgetBytes(tx, userId, bytes);
}
