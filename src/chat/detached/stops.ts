import type { Database } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import { pause } from '../../lib/pause.ts';
import { Stopper } from '../../lib/stop-signal.ts';
import { endsWithin } from '../../lib/within.ts';
import type { IdempotencyKey, MessageState } from '../commit/commands.ts';
import type { DetachedSend } from './detached-send.ts';

/** How long a request to stop waits for the settle, in milliseconds. */
const SETTLE_WAIT_MS = 3_000;
/** Milliseconds between two looks at the message. */
const LOOK_MS = 100;
/** Milliseconds after which a request that no node has obeyed is deleted: the send has ended. */
const STOP_KEPT_MS = 3_600_000;

export type StopRequest =
  Pick<IdempotencyKey, 'operation' | 'key'> | { roomId: string; messageId: number };

/** A message whose send was asked to stop, and its state then. `pending`: its provider's stream is read to its end. */
export interface StoppedMessage {
  roomId: string;
  id: number;
  state: MessageState;
}

/**
 * Stops a send.
 * @param own the send, if this node runs it
 * @throws `not_found`; `invalid_request` for a send that is not detached
 */
export async function stopSend(
  { db, clock }: { db: Database; clock: Clock },
  userId: number,
  request: StopRequest,
  own: DetachedSend | undefined,
): Promise<StoppedMessage> {
  if (own && (!('roomId' in request) || own.roomId === request.roomId)) return stopOwn(db, own);
  const message = await findMessage(db, userId, request);
  if (!message) throw nothingToStop();
  const { roomId, id, state, parameters } = message;
  if (state !== 'pending') return { roomId, id, state };
  const { detached: isDetached } = JSON.parse(parameters) as { detached?: boolean };
  if (!isDetached) {
    throw invalidField('detached', 'only a send that was sent with detached: true can be stopped');
  }
  await db.transaction((tx) =>
    tx.query(
      `INSERT INTO send_stops (user_id, message_id, asked_at) VALUES ($1, $2, $3)
       ON CONFLICT (user_id, message_id) DO NOTHING`,
      [userId, id, clock.now()],
    ),
  );
  return { roomId, id, state: await settledState(db, clock, userId, id) };
}

async function stopOwn(db: Database, send: DetachedSend): Promise<StoppedMessage> {
  const { userId, roomId, id } = send;
  send.stop();
  await endsWithin(send.ended, SETTLE_WAIT_MS);
  return { roomId, id, state: await stateOf(db, userId, id) };
}

function nothingToStop(): DomainError {
  return new DomainError(
    'not_found',
    'no send of yours has this key or id; one that was refused, or that failed, has freed its key',
  );
}

async function findMessage(db: Database, userId: number, request: StopRequest) {
  const isKey = 'key' in request;
  const [row] = await db.query<StoppedMessage & { parameters: string }>(
    `SELECT m.room_id AS "roomId", m.id, m.state, m.parameters FROM messages m
     WHERE m.user_id = $1 AND ${
       isKey
         ? `m.id = (SELECT message_id FROM idempotency_keys
             WHERE user_id = $1 AND operation = $2 AND key = $3)`
         : 'm.room_id = $2 AND m.id = $3'
     }`,
    isKey ? [userId, request.operation, request.key] : [userId, request.roomId, request.messageId],
  );
  return row;
}

async function stateOf(db: Database, userId: number, id: number): Promise<MessageState> {
  const [row] = await db.query<{ state: MessageState }>(
    'SELECT state FROM messages WHERE user_id = $1 AND id = $2',
    [userId, id],
  );
  return row?.state ?? 'failed';
}

/** The state once another node has settled the message; `pending` if that takes longer. */
async function settledState(
  db: Database,
  clock: Clock,
  userId: number,
  id: number,
): Promise<MessageState> {
  const giveUpAt = clock.monotonic() + SETTLE_WAIT_MS;
  const never = new Stopper();
  for (;;) {
    const state = await stateOf(db, userId, id);
    if (state !== 'pending' || clock.monotonic() > giveUpAt) return state;
    await pause(LOOK_MS, never);
  }
}

/** Takes the requests that other nodes received to stop these sends. */
export async function takeStops(
  db: Database,
  running: readonly DetachedSend[],
): Promise<{ userId: number; id: number }[]> {
  // The table is almost always empty.
  const requested = await db.query<{ userId: number; id: number }>(
    'SELECT user_id AS "userId", message_id AS id FROM send_stops',
  );
  const names = new Set(running.map(({ userId, id }) => `${userId} ${id}`));
  const own = requested.filter(({ userId, id }) => names.has(`${userId} ${id}`));
  if (own.length === 0) return own;
  await db.transaction(async (tx) => {
    for (const { userId, id } of own) {
      const text = 'DELETE FROM send_stops WHERE user_id = $1 AND message_id = $2';
      await tx.query(text, [userId, id]);
    }
  });
  return own;
}

/** Deletes requests to stop that came too late. */
export async function purgeStops(db: Database, now: number): Promise<void> {
  await db.transaction((tx) =>
    tx.query('DELETE FROM send_stops WHERE asked_at < $1', [now - STOP_KEPT_MS]),
  );
}
