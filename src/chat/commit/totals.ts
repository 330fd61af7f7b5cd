import { insertRows, updateRows, type Tx } from '../../db/index.ts';
import { dayOf } from '../../lib/days.ts';
import { addRecent } from '../rooms/room-index/recent.ts';
import type { RoomRow, SettleCommand } from './commands.ts';

const TITLE_CHARS = 80;

interface RoomTotal {
  roomId: string;
  count: number;
  spend: number;
  at: number;
  title: string;
  recent: string;
}

/** What a batch adds to rooms: merged first, so that a room is written once a batch. */
export class RoomTotals {
  readonly #totals = new Map<string, RoomTotal>();

  /** @param room as the batch found it; a title is only made for one without */
  add(settle: SettleCommand, room: RoomRow | undefined, erased: boolean): void {
    const { roomId, at } = settle;
    const total = this.#totals.get(roomId) ?? newTotal(roomId, room, at);
    this.#totals.set(roomId, total);
    total.spend += settle.cost.request + settle.cost.response;
    total.at = Math.max(total.at, at);
    if (erased) return;
    total.recent = addRecent(total.recent, settle.messageId);
    if (settle.state === 'failed') return;
    total.count++;
    if (total.title === '' && room?.untitled === 1) total.title = titleOf(settle.request);
  }

  async flush(tx: Tx): Promise<void> {
    await updateRows(
      tx,
      { room: 'TEXT', n: 'BIGINT', cost: 'BIGINT', at: 'BIGINT', name: 'TEXT', newest: 'TEXT' },
      `UPDATE rooms SET message_count = message_count + v.n, spend = spend + v.cost,
         last_used_at = v.at, recent = v.newest, title = CASE WHEN title = '' THEN v.name ELSE title END
       FROM v WHERE room_id = v.room`,
      [...this.#totals.values()].map((total) => [
        total.roomId,
        total.count,
        total.spend,
        total.at,
        total.title,
        total.recent,
      ]),
    );
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

function newTotal(roomId: string, room: RoomRow | undefined, at: number): RoomTotal {
  return { roomId, count: 0, spend: 0, at, title: '', recent: room?.recent ?? '' };
}

interface UsageTotal {
  userId: number;
  day: number;
  modelId: number;
  requests: number;
  promptTokens: number;
  completionTokens: number;
  spend: number;
}

/** What a batch adds to the users' spend by day (UTC) and model. */
export class UsageTotals {
  readonly #totals = new Map<string, UsageTotal>();

  add(settle: SettleCommand): void {
    const spend = settle.cost.request + settle.cost.response;
    if (settle.state === 'failed' && spend === 0) return;
    const { userId, modelId } = settle;
    const day = dayOf(settle.at);
    const name = `${userId} ${day} ${modelId}`;
    const empty = { requests: 0, promptTokens: 0, completionTokens: 0, spend: 0 };
    const total = this.#totals.get(name) ?? { userId, day, modelId, ...empty };
    this.#totals.set(name, total);
    total.requests++;
    total.promptTokens += settle.promptTokens ?? 0;
    total.completionTokens += settle.completionTokens ?? 0;
    total.spend += spend;
  }

  async flush(tx: Tx): Promise<void> {
    await insertRows(
      tx,
      `usage_daily (user_id, day, model_id, requests, prompt_tokens, completion_tokens, spend)`,
      7,
      [...this.#totals.values()].map((total) => [
        total.userId,
        total.day,
        total.modelId,
        total.requests,
        total.promptTokens,
        total.completionTokens,
        total.spend,
      ]),
      ` ON CONFLICT (user_id, day, model_id) DO UPDATE SET
         requests = usage_daily.requests + excluded.requests,
         prompt_tokens = usage_daily.prompt_tokens + excluded.prompt_tokens,
         completion_tokens = usage_daily.completion_tokens + excluded.completion_tokens,
         spend = usage_daily.spend + excluded.spend`,
    );
  }
}
