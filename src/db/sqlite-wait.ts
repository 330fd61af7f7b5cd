import { DatabaseUnavailableError, messageOf } from '../lib/errors.ts';
import type { Failures } from './database.ts';
import { heldBy } from './lock-holder.ts';
import { isLocked } from './sqlite-errors.ts';

/** Milliseconds between two attempts. */
export const BUSY_RETRY_MS = 20;
export const BUSY_GIVE_UP_MS = 10_000;
/** A lock that lasts this long is reported to the listeners of `watch`. */
const BUSY_REPORT_MS = 500;

/** Waits while another process, such as a command, holds the lock of a SQLite database. */
export class SqliteWait {
  readonly #path: string;

  /** @param path of the database */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Repeats `work` without blocking the event loop until it meets no lock.
   * @throws what `work` throws; an error about a lock only after {@link BUSY_GIVE_UP_MS}, naming its holder
   */
  async until<T>(work: () => T, watching: Failures | undefined): Promise<T> {
    const start = performance.now();
    for (let isReported = false; ;) {
      try {
        return work();
      } catch (error) {
        if (!isLocked(error)) throw error;
        const waited = performance.now() - start;
        if (waited > BUSY_GIVE_UP_MS) throw this.#named(error);
        if (waited > BUSY_REPORT_MS && !isReported) {
          watching?.noted(this.#named(error));
          isReported = true;
        }
        await Bun.sleep(BUSY_RETRY_MS);
      }
    }
  }

  /** The error, naming the process that holds the lock, if it is known. */
  #named(error: DatabaseUnavailableError): DatabaseUnavailableError {
    const message = `${messageOf(error)}${heldBy(this.#path)}`;
    return new DatabaseUnavailableError(message, { reason: 'locked', cause: error.cause });
  }
}
