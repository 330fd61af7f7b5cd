import { prepareInsert, prepareUpdate, type RowFor, tables, type Tx } from '../../db/index.ts';
import { addRecent } from '../rooms/room-index.ts';
import type { RoomRow, SettleCommand } from './commands.ts';
import type { Attempt } from '../../providers/index.ts';

const TITLE_CHARS = 80;

const addToRooms = prepareUpdate(tables.rooms, {
  key: ['room_id'],
  set: ['last_used_at', 'recent'],
  change: {
    message_count: 'rooms.message_count + v.message_count',
    spend: 'rooms.spend + v.spend',
    title: "CASE WHEN rooms.title = '' THEN v.title ELSE rooms.title END",
  },
});

/** What a batch adds to rooms, merged so that each room is written once a batch. */
export class RoomTotals {
  readonly #totals = new Map<string, RowFor<typeof addToRooms>>();

  /** @param room as the batch found it; only a room without a title gets one */
  add(settle: SettleCommand, room: RoomRow | undefined, erased: boolean): void {
    const { roomId, at } = settle;
    const total = this.#totals.get(roomId) ?? {
      room_id: roomId,
      message_count: 0,
      spend: 0,
      last_used_at: at,
      title: '',
      recent: room?.recent ?? '',
    };
    this.#totals.set(roomId, total);
    total.spend += settle.cost.request + settle.cost.response;
    total.last_used_at = Math.max(total.last_used_at, at);
    if (erased) return;
    total.recent = addRecent(total.recent, settle.messageId);
    if (settle.state === 'failed') return;
    total.message_count++;
    if (total.title === '' && room?.untitled === 1) total.title = titleOf(settle.request);
  }

  async flush(tx: Tx): Promise<void> {
    await addToRooms(tx, [...this.#totals.values()]);
  }
}

/** The first words of a message, on one line, never cut inside a character. */
function titleOf(message: string): string {
  const line = message
    .slice(0, TITLE_CHARS * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= TITLE_CHARS) return line.toWellFormed();
  return Array.from(line).slice(0, TITLE_CHARS).join('').toWellFormed();
}

export const insertAttempts = prepareInsert(tables.message_attempts);

/** The rows of `message_attempts` that a settle writes. Most write none. */
export function attemptRows({
  userId,
  messageId,
  attempts,
  attemptCosts,
}: SettleCommand): RowFor<typeof insertAttempts>[] {
  return attempts.map((attempt, index) => ({
    user_id: userId,
    message_id: messageId,
    number: index + 1,
    provider: attempt.provider,
    model: attempt.model,
    key_hint: attempt.keyHint,
    started_at: attempt.startedAt,
    waited_ms: attempt.waitedMs,
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status: attempt.status,
    cost: attempt.cost?.amount ?? null,
    cost_currency: attempt.cost?.currency ?? null,
    operator_cost: attemptCosts[index] ?? null,
  }));
}

/** Whether an attempt failed: it was neither answered nor stopped by the caller. */
export function isFailure({ outcome }: Attempt): boolean {
  return outcome !== 'ok' && outcome !== 'stopped';
}

/** A send that spends this many milliseconds outside its attempts at providers gets rows of attempts. */
const OWN_MS_RECORDED = 1_000;

/** When a send began and ended, in milliseconds since 1970, and how long its attempts spent at providers. */
interface SendTimes {
  askedAt: number;
  endedAt: number;
  providerMs: number;
}

/**
 * The attempts of a message that get a row. The wait of the first one includes the time from the start of the send.
 * Nearly always there is one attempt, which was answered or left by the client: the message itself says so, and nothing
 * is written.
 */
export function attemptsToKeep(
  attempts: readonly Attempt[],
  { askedAt, endedAt, providerMs }: SendTimes,
): readonly Attempt[] {
  const [first, ...others] = attempts;
  if (!first) return attempts;
  const isPlain = others.length === 0 && !isFailure(first) && first.cost === null;
  if (isPlain && endedAt - askedAt - providerMs < OWN_MS_RECORDED) return [];
  const before = Math.max(0, first.startedAt - askedAt);
  return [{ ...first, waitedMs: before + (first.waitedMs ?? 0) }, ...others];
}
