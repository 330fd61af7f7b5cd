import { GroupCommit, type Database } from '../../db/index.ts';
import { DatabaseUnavailableError, DomainError } from '../../lib/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type {
  HoldCommand,
  HoldResult,
  SendCommand,
  SendCommandResult,
  SettleCommand,
  SettleResult,
} from './commands.ts';
import { runSendBatch } from './run-batch.ts';
import { Pressure } from './pressure.ts';

/** Holds and settles in one transaction. */
const BATCH_MAX = 128;
/** Commands waiting for the next transaction; beyond it new sends are refused. */
const QUEUE_MAX = 10_000;
/** More than one transaction takes, waiting for seconds: this node does not keep up. */
const QUEUE_LONG = BATCH_MAX;
/** What may wait then: half a transaction full, about what waits on a node that is just busy. */
const QUEUE_SHORT = BATCH_MAX / 2;
/** How long a settle is tried again while the database is away: the answer is already there. */
const SETTLE_GIVE_UP_MS = 30_000;
const SETTLE_RETRY_MS = 200;
const OVERLOADED_RETRY_S = 1;

/** The send path's door to the database: both writes of a send, group-committed. */
export class SendCommit {
  readonly #group: GroupCommit<SendCommand, SendCommandResult>;
  readonly #clock: Clock;
  readonly #pressure: Pressure;
  readonly #suspect: (error: unknown) => void;

  /** @param suspect hears what writes failed with */
  constructor(
    db: Database,
    clock: Clock,
    observeBatch: (size: number) => void,
    suspect: (error: unknown) => void = () => undefined,
  ) {
    const limits = { batchMax: BATCH_MAX, queueMax: QUEUE_MAX };
    this.#group = new GroupCommit(db, runSendBatch, limits, observeBatch);
    this.#clock = clock;
    this.#suspect = suspect;
    this.#pressure = new Pressure({ queueLong: QUEUE_LONG, queueShort: QUEUE_SHORT, clock });
  }

  get queued(): number {
    return this.#group.queued;
  }

  /** @throws `overloaded` when too much waits, or the database is away; nothing was held then */
  hold(command: HoldCommand): Promise<HoldResult> {
    if (this.#group.full || this.#pressure.refuses(this.#group.queued)) {
      return Promise.reject(overloaded('this server has more to do than it can'));
    }
    const holding = this.#group.submit(command) as Promise<HoldResult>;
    return holding.catch((error: unknown) => {
      this.#suspect(error);
      const isAway = error instanceof DatabaseUnavailableError;
      throw isAway ? overloaded('the database is away', error) : error;
    });
  }

  /** Tried again while the database is away: a settle that already happened is recognised. */
  settle(command: SettleCommand): Promise<SettleResult> {
    return this.whileAway(() => this.#group.submit(command) as Promise<SettleResult>);
  }

  /** Tries a write of an answer that was paid for again while the database is away, as long as a settle. */
  whileAway<T>(write: () => Promise<T>): Promise<T> {
    return this.#until(this.#clock.monotonic() + SETTLE_GIVE_UP_MS, write);
  }

  #until<T>(giveUpAt: number, write: () => Promise<T>): Promise<T> {
    return write().catch(async (error: unknown) => {
      this.#suspect(error);
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      if (this.#clock.monotonic() > giveUpAt) throw error;
      await Bun.sleep(SETTLE_RETRY_MS);
      return this.#until(giveUpAt, write);
    });
  }

  idle(): Promise<void> {
    return this.#group.idle();
  }
}

function overloaded(why: string, cause?: unknown): DomainError {
  return new DomainError('overloaded', `${why}: nothing was charged, try again in a moment`, {
    retryAfterSeconds: OVERLOADED_RETRY_S,
    cause,
  });
}
