import { type Database, GroupCommit, queryIn, together, type Tx } from '../../db/index.ts';
import { DatabaseUnavailableError, DomainError } from '../../lib/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type {
  HoldCommand,
  HoldResult,
  RoomRow,
  SendCommand,
  SendCommandResult,
  SettleCommand,
  SettleResult,
} from './commands.ts';
import { AccountBook, LimitBook } from '../../ledger/index.ts';
import { HoldBatch, readKeys } from './hold-batch.ts';
import { SettleBatch } from './settle-batch.ts';

/** The most holds and settles in one transaction. */
const BATCH_MAX = 128;
/** The most commands that wait for the next transaction; beyond that, new sends are refused. */
const QUEUE_MAX = 10_000;
/** A queue longer than one transaction takes, for seconds, shows that this node does not keep up. */
const QUEUE_LONG = BATCH_MAX;
/** The queue that is allowed then: half a transaction, about as long as on a node that is merely busy. */
export const QUEUE_SHORT = BATCH_MAX / 2;
/** A command with a longer text, in UTF-16 units, gets its own transaction: each megabyte takes milliseconds. */
export const LONG_TEXT_CHARS = 64 * 1024;
/** How long a settle is retried while the database is unavailable: the answer has already been made. */
const SETTLE_GIVE_UP_MS = 30_000;
const SETTLE_RETRY_MS = 200;
const OVERLOADED_RETRY_S = 1;

/** Both database writes of a send, committed in groups with those of other sends. */
export class SendCommit {
  readonly #group: GroupCommit<SendCommand, SendCommandResult>;
  /**
   * Commands with long texts. On PostgreSQL no other command waits for them; on SQLite only one of them runs at a time.
   */
  readonly #long: GroupCommit<SendCommand, SendCommandResult>;
  readonly #clock: Clock;
  readonly #pressure: Pressure;

  constructor(db: Database, clock: Clock, observeBatch: (size: number) => void) {
    const limits = { batchMax: BATCH_MAX, queueMax: QUEUE_MAX };
    this.#group = new GroupCommit(db, runSendBatch, limits, observeBatch);
    const alone = { batchMax: 1, queueMax: QUEUE_MAX };
    this.#long = new GroupCommit(db, runSendBatch, alone, observeBatch);
    this.#clock = clock;
    this.#pressure = new Pressure(clock);
  }

  get queued(): number {
    return this.#group.queued + this.#long.queued;
  }

  /** @throws `overloaded` when too much waits, or the database is unavailable; nothing was held then */
  hold(command: HoldCommand): Promise<HoldResult> {
    if (this.#group.full || this.#pressure.refuses(this.#group.queued)) {
      return Promise.reject(overloaded('this server has more to do than it can'));
    }
    const { systemPrompt, request, kept } = command;
    const length = systemPrompt.length + request.length + (kept?.input.length ?? 0);
    const holding = this.#groupFor(length).submit(command) as Promise<HoldResult>;
    return holding.catch((error: unknown) => {
      const isAway = error instanceof DatabaseUnavailableError;
      throw isAway ? overloaded('the database is away', error) : error;
    });
  }

  /** Retried while the database is unavailable: a settle that already happened is recognised. */
  settle(command: SettleCommand): Promise<SettleResult> {
    const { response, keptAnswer, keptOutput } = command;
    const length = response.length + (keptAnswer?.length ?? 0) + (keptOutput?.length ?? 0);
    const group = this.#groupFor(length);
    return this.whileAway(() => group.submit(command) as Promise<SettleResult>);
  }

  #groupFor(length: number): GroupCommit<SendCommand, SendCommandResult> {
    return length > LONG_TEXT_CHARS ? this.#long : this.#group;
  }

  /** Retries a write that concerns a paid answer while the database is unavailable, for as long as a settle. */
  async whileAway<T>(write: () => Promise<T>): Promise<T> {
    let giveUpAt: number | undefined;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
        const now = this.#clock.monotonic();
        giveUpAt ??= now + SETTLE_GIVE_UP_MS;
        if (now > giveUpAt) throw error;
        await Bun.sleep(SETTLE_RETRY_MS);
      }
    }
  }

  async idle(): Promise<void> {
    await Promise.all([this.#group.idle(), this.#long.idle()]);
  }
}

function overloaded(why: string, cause?: unknown): DomainError {
  return new DomainError('overloaded', `${why}: nothing was charged, try again in a moment`, {
    retryAfterSeconds: OVERLOADED_RETRY_S,
    cause,
  });
}

/**
 * Runs holds and settles of many users in one transaction, with a number of statements that does not grow with the
 * batch. Commands take effect in their order: the rules see each other's effects through the account book. The users'
 * account rows are locked first, which puts all other work of a user in order.
 */
export async function runSendBatch(tx: Tx, commands: SendCommand[]): Promise<SendCommandResult[]> {
  const [book, rooms, keys] = await together([
    AccountBook.open(
      tx,
      commands.map(({ userId }) => userId),
    ),
    readRooms(tx, commands),
    readKeys(tx, commands),
  ]);
  const limitedKeys = commands
    .filter(({ userId, keyId }) => book.isLimitedKey(userId, keyId))
    .map(({ keyId }) => keyId);
  const limits = await LimitBook.open(tx, book.limitedUsers(), limitedKeys);
  const batch = { book, limits, rooms };
  const holds = new HoldBatch(batch, keys);
  const settles = await SettleBatch.open(tx, commands, batch);
  const results = commands.map((command) =>
    command.kind === 'hold' ? holds.apply(command) : settles.apply(command),
  );
  await together([book.flush(tx), limits.flush(tx), holds.flush(tx), settles.flush(tx)]);
  return results;
}

async function readRooms(tx: Tx, commands: SendCommand[]): Promise<Map<string, RoomRow>> {
  const ids = new Set<string>();
  for (const { roomId } of commands) ids.add(roomId);
  const rows = await queryIn<RoomRow>(
    tx,
    `SELECT room_id AS "roomId", user_id AS "userId", deleted_at AS "deletedAt",
       erased_through AS "erasedThrough", CASE WHEN title = '' THEN 1 ELSE 0 END AS untitled, recent
     FROM rooms WHERE room_id IN (LIST)`,
    [...ids],
  );
  const rooms = new Map<string, RoomRow>();
  for (const row of rows) rooms.set(row.roomId, row);
  return rooms;
}

/** Milliseconds. A shorter burst is not an overload: its requests wait, and none is refused. */
export const SUSTAINED_MS = 2_000;
/** Milliseconds over which the queue's length is averaged: just after a commit it is always short. */
const LOOK_MS = 100;
/** The overload has ended when fewer than this share are refused. */
const CALM_SHARE = 0.02;

/**
 * Keeps an overloaded node from making everybody wait. A burst may queue. But once the queue has been long for a while,
 * new work is refused while the queue is not short. Then accepted work is answered about as fast as always, and other
 * clients learn at once that they should come back later.
 */
export class Pressure {
  readonly #clock: Clock;
  #isSustained = false;
  /** When the queue became long or, during an overload, when refusals became rare. */
  #changingSince: number | undefined;
  #lookAt: number;
  #sum = 0;
  #count = 0;
  #refused = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lookAt = clock.monotonic() + LOOK_MS;
  }

  /** Call it for each new piece of work. @param queued how much waits now @returns whether to refuse it */
  refuses(queued: number): boolean {
    const now = this.#clock.monotonic();
    if (now >= this.#lookAt) this.#look(now);
    this.#sum += queued;
    this.#count++;
    const refuses = this.#isSustained && queued >= QUEUE_SHORT;
    if (refuses) this.#refused++;
    return refuses;
  }

  #look(now: number): void {
    // After such a pause, the overload is over.
    if (now - this.#lookAt >= SUSTAINED_MS) this.#isSustained = false;
    const isChanging = this.#isSustained
      ? this.#refused <= this.#count * CALM_SHARE
      : this.#sum > this.#count * QUEUE_LONG;
    if (!isChanging) this.#changingSince = undefined;
    else if (now - (this.#changingSince ??= now) >= SUSTAINED_MS) {
      this.#isSustained = !this.#isSustained;
      this.#changingSince = undefined;
    }
    [this.#sum, this.#count, this.#refused] = [0, 0, 0];
    this.#lookAt = now + LOOK_MS;
  }
}
