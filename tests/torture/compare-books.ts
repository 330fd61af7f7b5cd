/** Compares three independent records of the same sends: the database, the provider's, the client's. */
import { openDatabase, type DatabaseConfig } from '../../src/db/index.ts';
import { verifyBooks } from '../../src/ledger/index.ts';
import { answerTo } from './journal-provider.ts';

export interface ClientLogEntry {
  message: string;
  roomId: string;
  key: string | undefined;
  /** Undefined: no answer came, so it may have been charged or not. */
  answer: { id: number; response: string } | undefined;
}

export interface Comparison {
  charged: number;
  /** Answers that a client has, and the database does not, or not the same. */
  lost: string[];
  /** Messages that were charged more than once. */
  doubled: string[];
  /** Charges for messages that the provider was never asked, or whose answer is not the provider's. */
  invented: string[];
  /** Keyed messages that the provider was asked for more often than nodes died in them plus one. */
  repeatedCalls: string[];
  openHolds: number;
  brokenBooks: string[];
}

interface StoredMessage {
  id: number;
  roomId: string;
  state: string;
  request: string;
  response: string;
  charges: number;
}

export async function compareBooks(
  config: DatabaseConfig,
  log: ClientLogEntry[],
  asked: Map<string, number>,
): Promise<Comparison> {
  const db = openDatabase(config);
  try {
    const stored = await db.query<StoredMessage>(
      `SELECT m.id, m.room_id AS "roomId", m.state, m.request, m.response,
         COALESCE(c.n, 0) AS charges
       FROM messages m
       LEFT JOIN (SELECT user_id, message_id, COUNT(*) AS n FROM ledger_entries
         WHERE account = 'user' AND kind = 'charge' GROUP BY user_id, message_id) c
         ON c.user_id = m.user_id AND c.message_id = m.id`,
    );
    const byRequest = Map.groupBy(stored, (message) => message.request);
    const charged = stored.filter((message) => message.charges > 0);
    const chargedByRequest = Map.groupBy(charged, (message) => message.request);
    const books = await verifyBooks(db);
    return {
      charged: charged.length,
      lost: log.filter((entry) => isLost(entry, byRequest)).map((entry) => entry.message),
      doubled: [...chargedByRequest]
        .filter(([, messages]) => messages.reduce((sum, { charges }) => sum + charges, 0) > 1)
        .map(([request]) => request),
      invented: charged
        .filter((m) => !asked.has(m.request) || m.response !== answerTo(m.request))
        .map((m) => m.request),
      repeatedCalls: log
        .filter(({ key, message }) => {
          const died = (byRequest.get(message) ?? []).filter(({ state }) => state === 'failed');
          return key !== undefined && (asked.get(message) ?? 0) > died.length + 1;
        })
        .map(({ message }) => message),
      openHolds: stored.filter((message) => message.state === 'pending').length,
      brokenBooks: books.filter((check) => !check.holds).map((check) => check.name),
    };
  } finally {
    await db.close();
  }
}

function isLost(entry: ClientLogEntry, byRequest: Map<string, StoredMessage[]>): boolean {
  if (!entry.answer) return false;
  const { id, response } = entry.answer;
  const same = (byRequest.get(entry.message) ?? []).find((message) => message.id === id);
  return !same || same.state !== 'done' || same.response !== response || same.charges !== 1;
}
