import { DomainError } from '../../lib/errors.ts';
import type { Room } from '../../lib/room.ts';

const RETRY_AFTER_S = 1;
/** Smaller bodies are not counted: the number of connections bounds them. */
export const COUNTED_FROM_BYTES = 16 * 1024;
/** After a larger body it is worth searching for garbage. */
const COLLECTED_FROM_BYTES = 1024 * 1024;
/** The share of the budget that the bodies of one user, or from one address, may take. A single body may take more. */
const USER_SHARE = 1 / 4;
const ADDRESS_SHARE = 1 / 2;
/**
 * The memory that a parsed text takes, as a multiple of its bytes: the values, the provider's request, its bytes, and
 * memory that the runtime has not freed yet. A shorter text is freed soon.
 */
const TEXT_WEIGHT = 5;
/** A body with more text is parsed only once there is room for its values. */
export const WEIGHED_FROM_BYTES = 1024 * 1024;
/** The largest share of the budget that one text counts for: the largest body has to fit into a small budget. */
const TEXT_SHARE = 3 / 4;

/** Bytes of one body that count against the budget. */
export interface Reservation extends Room {
  /**
   * Counts the memory that a parsed body takes beyond its bytes. Text that an earlier call has counted is not counted
   * again.
   * @param bytes without those that are passed on unparsed
   * @throws `overloaded` when there is no room
   */
  weigh(bytes: number): void;
}

/** Limits the bytes of all bodies that this process is reading or handling, and the share of each sender. */
export class BodyBudget {
  readonly #maxBytes: number;
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes that are reserved now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param userId undefined if the body is read before the credential */
  reserve(userId: number | undefined, address: string): Reservation {
    const shares: [string, number][] = [[`address ${address}`, ADDRESS_SHARE]];
    if (userId !== undefined) shares.push([`user ${userId}`, USER_SHARE]);
    let [taken, weighed] = [0, 0];
    const add = (bytes: number): void => {
      this.#check(bytes, taken, shares);
      taken += bytes;
      this.#change(bytes, shares);
    };
    return {
      add,
      weigh: (bytes) => {
        const most = this.#maxBytes * TEXT_SHARE - (taken - weighed);
        const weight = Math.min((bytes - WEIGHED_FROM_BYTES) * (TEXT_WEIGHT - 1), most);
        if (weight <= weighed) return;
        add(weight - weighed);
        weighed = weight;
      },
      release: () => {
        this.#change(-taken, shares);
        // Otherwise the texts of large bodies pile up until the runtime collects garbage. The collection runs on
        // another thread.
        if (taken > COLLECTED_FROM_BYTES) Bun.gc(false);
        taken = weighed = 0;
      },
    };
  }

  /** @param taken bytes that the body itself already takes */
  #check(bytes: number, taken: number, shares: readonly [string, number][]): void {
    const fits = shares.every(([owner, share]) => {
      const all = this.#bytesOf.get(owner) ?? 0;
      return all === taken || all + bytes <= this.#maxBytes * share;
    });
    if (!fits) throw overloaded('your requests in progress are too large together');
    if (this.#bytes + bytes > this.#maxBytes)
      throw overloaded('too many large requests in progress');
  }

  #change(bytes: number, shares: readonly [string, number][]): void {
    this.#bytes += bytes;
    for (const [owner] of shares) {
      const left = (this.#bytesOf.get(owner) ?? 0) + bytes;
      if (left === 0) this.#bytesOf.delete(owner);
      else this.#bytesOf.set(owner, left);
    }
  }
}

function overloaded(reason: string): DomainError {
  return new DomainError('overloaded', `${reason}: try again when some of them have ended`, {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}
