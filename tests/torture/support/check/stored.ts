/** The first of the three records: the database. Only this file of the torture tests knows its tables. */
import { openDatabase, type Database, type DatabaseConfig } from '../../../../src/db/index.ts';
import { storedBytes } from '../../../../src/chat/rooms/stored-bytes.ts';
import { verifyBooks } from '../../../../src/ledger/index.ts';
import { wordsOf } from '../ways.ts';
import { wronglyIndexedRooms } from '../../../support/room-index.ts';

export interface StoredMessage {
  userId: number;
  id: number;
  roomId: string;
  state: 'pending' | 'done' | 'failed' | 'stopped';
  request: string;
  response: string;
  hold: number;
  costRequest: number;
  costResponse: number;
  promptTokens: number | null;
  completionTokens: number | null;
  usageSource: string | null;
  /** Characters that were spoken, or seconds that were transcribed. */
  units: number | null;
  imageId: string | null;
  createdAt: number;
  respondedAt: number | null;
  /** Ledger entries that charge for it, and their sum. */
  charges: number;
  charged: number;
}

export interface Stored {
  messages: StoredMessage[];
  /** Users whose account has open holds. */
  holding: number[];
  /** Proofs of `zastava ledger verify` that fail, and rooms that do not find their messages. */
  brokenProofs: string[];
  /** Users whose rooms or days have another sum than their charges, or whose stored bytes are counted wrongly. */
  wrongTotals: number[];
}

interface Totals {
  id: number;
  charged: number;
  rooms: number;
  days: number;
  counted: number;
  texts: number;
  images: number;
}

/** Users whose account has open holds. */
export async function holdersIn(db: Database): Promise<number[]> {
  const rows = await db.query<{ id: number }>('SELECT user_id AS id FROM accounts WHERE held <> 0');
  return rows.map(({ id }) => id);
}

export async function readStored(config: DatabaseConfig): Promise<Stored> {
  const db = openDatabase(config);
  try {
    const messages = await db.query<StoredMessage>(
      `SELECT m.user_id AS "userId", m.id, m.room_id AS "roomId", m.state, m.request, m.response,
         m.hold, m.cost_request AS "costRequest", m.cost_response AS "costResponse",
         m.prompt_tokens AS "promptTokens", m.completion_tokens AS "completionTokens",
         m.usage_source AS "usageSource",
         COALESCE(m.characters, m.audio_seconds) AS units, m.image_id AS "imageId", m.created_at AS "createdAt",
         m.response_at AS "respondedAt",
         COALESCE(c.n, 0) AS charges, COALESCE(c.total, 0) AS charged
       FROM messages m
       LEFT JOIN (SELECT user_id, message_id, COUNT(*) AS n, CAST(-SUM(amount) AS BIGINT) AS total
         FROM ledger_entries WHERE account = 'user' AND kind = 'charge'
         GROUP BY user_id, message_id) c ON c.user_id = m.user_id AND c.message_id = m.id`,
    );
    const holding = await holdersIn(db);
    const totals = await db.query<Totals>(
      `SELECT a.user_id AS id,
         (SELECT CAST(COALESCE(-SUM(amount), 0) AS BIGINT) FROM ledger_entries e
           WHERE e.user_id = a.user_id AND account = 'user' AND kind = 'charge') AS charged,
         (SELECT CAST(COALESCE(SUM(spend), 0) AS BIGINT) FROM rooms r
           WHERE r.user_id = a.user_id) AS rooms,
         (SELECT CAST(COALESCE(SUM(spend), 0) AS BIGINT) FROM usage_daily u
           WHERE u.user_id = a.user_id) AS days,
         stored_bytes AS counted,
         (SELECT CAST(COALESCE(SUM(${storedBytes}), 0) AS BIGINT) FROM messages
           WHERE messages.user_id = a.user_id) AS texts,
         (SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM images i
           WHERE i.user_id = a.user_id AND erased_at IS NULL) AS images
       FROM accounts a`,
    );
    const proofs = await verifyBooks(db);
    return {
      messages: messages.map((message) => ({ ...message, request: wordsOf(message.request) })),
      holding,
      brokenProofs: [
        ...proofs.filter(({ holds }) => !holds).map(({ name }) => name),
        ...(await wronglyIndexedRooms(db)),
      ],
      wrongTotals: totals
        .filter(({ charged, ...sums }) => [sums.rooms, sums.days].some((sum) => sum !== charged))
        .concat(totals.filter(({ counted, texts, images }) => counted !== texts + images))
        .map(({ id }) => id),
    };
  } finally {
    await db.close();
  }
}
