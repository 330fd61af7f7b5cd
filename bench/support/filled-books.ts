import { Database } from 'bun:sqlite';
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { question } from './target.ts';

/** How much a database is filled; every user except those of large rooms has one room. */
export interface Filling {
  users: number;
  /** Messages in the room of each user. */
  messagesEach: number;
  /** Rooms that belong to separate users. */
  largeRooms: number;
  messagesLarge: number;
}

/** A room to send to, and its owner. */
export interface FilledRoom {
  userId: number;
  roomId: string;
}

/** Higher than any id that a fresh installation has assigned. */
const FIRST_LARGE_USER = 1_001;
const FIRST_USER = 2_001;
/** Micro-rubles: the cost of the mock's answer at the benchmark's prices, and a larger hold. */
const COST = { request: 600, response: 4_200, hold: 60_000 };
const CREDIT = 1_000_000_000_000_000;
const ANSWER =
  'The town gate was the place where travellers were checked and paid the toll before they were let in.';
const DAY_MS = 86_400_000;

/** The database of a Zastava that is not running, for filling its tables directly. */
export class FilledBooks {
  readonly #path: string;
  readonly #db: Database;
  /** Yesterday, so that today's usage stays empty. */
  readonly #at = Date.now() - DAY_MS;

  constructor(path: string) {
    this.#path = path;
    this.#db = new Database(path);
    // Nothing here must survive a crash, and nothing is rolled back.
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -2000000']) {
      this.#db.run(`PRAGMA ${pragma}`);
    }
  }

  /**
   * Writes users, rooms, messages and their charges, such that the books balance. Each room in turn gets its next
   * message, as in years of use: an index filled in its own order would be denser.
   */
  fill(filling: Filling, progress: (line: string) => void): void {
    const { users, messagesEach, largeRooms, messagesLarge } = filling;
    this.#addUsers(FIRST_LARGE_USER, largeRooms, messagesLarge);
    this.#addUsers(FIRST_USER, users, messagesEach);
    const steps = Math.max(messagesEach, 1);
    const large = Math.ceil(messagesLarge / steps);
    for (let step = 1; step <= steps; step++) {
      if (messagesEach > 0) this.#addMessages('user_id >= $first', FIRST_USER, step, step);
      const [from, to] = [(step - 1) * large + 1, Math.min(step * large, messagesLarge)];
      const rooms = from <= to ? largeRooms : 0;
      for (let room = 0; room < rooms; room++) {
        this.#addMessages('user_id = $first', FIRST_LARGE_USER + room, from, to);
      }
      if (step % 10 === 0) progress(`filling: ${step} of ${steps} parts`);
    }
    this.#indexRooms();
  }

  /** The large rooms, and this many of the others, chosen at random. */
  rooms(others: number): { large: FilledRoom[]; others: FilledRoom[] } {
    const read = (where: string): FilledRoom[] =>
      this.#db
        .query<FilledRoom, []>(`SELECT user_id AS userId, room_id AS roomId FROM rooms ${where}`)
        .all();
    return {
      large: read(`WHERE user_id BETWEEN ${FIRST_LARGE_USER} AND ${FIRST_USER - 1}`),
      others: read(`WHERE user_id >= ${FIRST_USER} ORDER BY random() LIMIT ${others}`),
    };
  }

  /** Leaves no work for the disk while others are measured. @returns the size of the file in bytes */
  close(): number {
    this.#db.run('PRAGMA journal_mode = WAL');
    this.#db.close();
    const file = openSync(this.#path, 'r+');
    fsyncSync(file);
    closeSync(file);
    return statSync(this.#path).size;
  }

  #addUsers(first: number, count: number, messages: number): void {
    if (count === 0) return;
    const cost = COST.request + COST.response;
    const users = `WITH RECURSIVE u(id) AS (
      SELECT ${first} UNION ALL SELECT id + 1 FROM u WHERE id < ${first + count - 1})`;
    const statements = [
      `INSERT INTO users (id, login, login_folded, password_hash, is_admin, is_blocked, token_epoch,
         created_at) ${users} SELECT id, 'filled-' || id, 'filled-' || id, '', 0, 0, 0, $at FROM u`,
      `INSERT INTO accounts (user_id, balance, held, credit_limit, last_message_id, last_transfer_id)
       ${users} SELECT id, ${CREDIT - cost * messages}, 0, 0, ${messages}, ${messages + 1} FROM u`,
      `INSERT INTO ledger_entries (user_id, transfer_id, account, amount, kind, balance_after, reason,
         made_by, created_at) ${users} SELECT id, 1, 'user', ${CREDIT}, 'top_up', ${CREDIT}, 'benchmark', 'benchmark', $at
         FROM u UNION ALL SELECT id, 1, 'funding', -${CREDIT}, 'top_up', NULL, 'benchmark', 'benchmark', $at FROM u`,
      `INSERT INTO rooms (room_id, user_id, title, message_count, spend, created_at, last_used_at,
         erased_through) ${users} SELECT lower(hex(randomblob(16))), id, 'What was', ${messages},
         ${cost * messages}, $at, $at, 0 FROM u`,
      ...(messages > 0
        ? [
            `INSERT INTO usage_daily (user_id, day, model_id, requests, prompt_tokens, completion_tokens,
               spend) ${users} SELECT id, $at / ${DAY_MS}, 101, ${messages}, ${24 * messages},
               ${21 * messages}, ${cost * messages} FROM u`,
          ]
        : []),
    ];
    for (const statement of statements) this.#run(statement);
  }

  /** Messages `from` to `to` of each room that `where` finds, with their charges. */
  #addMessages(where: string, first: number, from: number, to: number): void {
    const cost = COST.request + COST.response;
    const series = `WITH RECURSIVE n(i) AS (
      SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
    const every = `FROM n CROSS JOIN rooms WHERE ${where.replace('$first', String(first))}`;
    this.#run(
      `INSERT INTO messages (user_id, room_id, id, state, node_id, hold, asked_version_id, version_id,
         system_prompt, request, response, parameters, cost_request, cost_response, prompt_tokens,
         completion_tokens, total_tokens, usage_source, finish_reason, provider_message_id, created_at,
         response_at)
       ${series} SELECT user_id, room_id, i, 'done', 0, ${COST.hold}, 1, 1, '', '${question}', '${ANSWER}',
         '{"max_output_tokens":256}', ${COST.request}, ${COST.response}, 24, 21, 45, 'provider', 'stop',
         'chatcmpl-mock', $at, $at ${every}`,
    );
    this.#run(
      `INSERT INTO ledger_entries (user_id, transfer_id, account, amount, kind, balance_after, message_id,
         created_at)
       ${series} SELECT user_id, i + 1, side.account, side.sign * ${cost}, 'charge',
         CASE side.sign WHEN -1 THEN ${CREDIT} - ${cost} * i END, i, $at
       ${every.replace(
         'WHERE',
         `CROSS JOIN (SELECT 'user' AS account, -1 AS sign UNION ALL SELECT 'revenue', 1) side WHERE`,
       )}`,
    );
  }

  /** The index as the send path leaves it: a row for each 512 messages of a user, and the newest ids in the room. */
  #indexRooms(): void {
    const indexed =
      '(SELECT last_message_id / 512 * 512 FROM accounts a WHERE a.user_id = rooms.user_id)';
    this.#run(
      `INSERT INTO room_blocks (user_id, room_id, first_id, ids)
       SELECT m.user_id, m.room_id, MIN(m.id), string_agg(CAST(m.id AS TEXT), ' ' ORDER BY m.id)
       FROM rooms CROSS JOIN messages m ON m.user_id = rooms.user_id AND m.id <= ${indexed}
       GROUP BY m.user_id, m.room_id, (m.id - 1) / 512`,
    );
    this.#run('UPDATE accounts SET indexed_through = last_message_id / 512 * 512');
    this.#run(
      `UPDATE rooms SET recent = (SELECT string_agg(CAST(id AS TEXT), ' ' ORDER BY id) FROM messages m
         WHERE m.user_id = rooms.user_id AND m.id > rooms.message_count - 12) WHERE message_count > 0`,
    );
  }

  #run(statement: string): void {
    this.#db.query(statement).run(...(statement.includes('$at') ? [{ $at: this.#at }] : []));
  }
}
