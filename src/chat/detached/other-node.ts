import type { Database } from '../../db/index.ts';
import {
  DatabaseUnavailableError,
  DomainError,
  errorCodes,
  internalError,
  stoppingError,
  type ErrorCode,
} from '../../lib/errors.ts';
import { pause } from '../../lib/pause.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import type { IdempotencyKey, MessageState } from '../commit/commands.ts';
import { findKeptAnswer } from '../idempotency.ts';
import { replayed } from '../send/replayed.ts';
import type { SendResult } from '../send/send-result.ts';
import type { SenderParts } from '../send/sender-parts.ts';
import { DetachedSend } from './detached-send.ts';

/** Milliseconds between two looks at a send of another node. */
export const LOOK_MS = 500;

export interface KeyMessage {
  userId: number;
  roomId: string;
  id: number;
  askedAt: number;
}

/** The message whose send runs under this key. */
export async function messageUnderKey(
  db: Database,
  userId: number,
  { operation, key, bodySha256 }: IdempotencyKey,
): Promise<KeyMessage | undefined> {
  const [row] = await db.query<KeyMessage>(
    `SELECT m.user_id AS "userId", m.room_id AS "roomId", m.id, m.created_at AS "askedAt"
     FROM idempotency_keys k JOIN messages m ON m.user_id = k.user_id AND m.id = k.message_id
     WHERE k.user_id = $1 AND k.operation = $2 AND k.key = $3 AND k.body_sha256 = $4
       AND k.response IS NULL`,
    [userId, operation, key, bodySha256],
  );
  return row;
}

type Parts = Pick<SenderParts, 'db' | 'catalogue' | 'log'>;

/**
 * A send that another node runs, as far as the database shows it: its beginning, and later its end. No pieces come
 * between them.
 * @param closed aborted when this node stops
 */
export function followOtherNode(
  parts: Parts,
  message: KeyMessage,
  key: IdempotencyKey,
  closed: StopSignal,
): DetachedSend {
  const { userId, roomId, id, askedAt } = message;
  const send = new DetachedSend(userId, roomId, id);
  send.push([{ type: 'start', roomId, id, askedAt }]);
  // Whether the other node has called a provider is not known here.
  send.sent();
  void waitForEnd(parts, send, key, closed).finally(() => send.end());
  return send;
}

/** Never throws. Ends when nobody follows any more. */
async function waitForEnd(
  parts: Parts,
  send: DetachedSend,
  key: IdempotencyKey,
  closed: StopSignal,
): Promise<void> {
  try {
    do await pause(LOOK_MS, closed);
    while (!closed.aborted && send.isFollowed && !(await isOver(parts.db, send)));
    if (closed.aborted) throw stoppingError(true);
    if (!send.isFollowed) return;
    const result = await resultOf(parts, send, key);
    // The first event has already been given.
    for (const batch of (await replayed(parts.catalogue, result)).slice(1)) send.push(batch);
  } catch (error) {
    if (!(error instanceof DomainError)) {
      parts.log.error({ err: error, message: send.id }, 'the end of a send was not read');
    }
    const seen = error instanceof DomainError ? error : internalError({ providerCalled: true });
    send.push([{ type: 'error', error: seen }]);
  }
}

interface MessageEnd {
  state: MessageState;
  error: string | null;
}

async function endOf(db: Database, { userId, id }: DetachedSend): Promise<MessageEnd | undefined> {
  const [row] = await db.query<MessageEnd>(
    'SELECT state, error_code AS error FROM messages WHERE user_id = $1 AND id = $2',
    [userId, id],
  );
  return row;
}

async function isOver(db: Database, send: DetachedSend): Promise<boolean> {
  try {
    return (await endOf(db, send))?.state !== 'pending';
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return false;
    throw error;
  }
}

/** @throws the error with which the send ended */
async function resultOf(
  { db }: Parts,
  send: DetachedSend,
  key: IdempotencyKey,
): Promise<SendResult> {
  const result = await findKeptAnswer(db, send.userId, key);
  if (result) return result;
  const { error = null } = (await endOf(db, send)) ?? {};
  const code = errorCodes.find((known) => known === error) ?? ('overloaded' satisfies ErrorCode);
  throw new DomainError(
    code,
    'the send that ran under this Idempotency-Key ended without an answer: the history shows it with include_failed',
    { providerCalled: true },
  );
}
