import { lruCache } from '../lib/lru-cache.ts';
import type { Clock } from '../lib/clock.ts';
import { sha256Hex } from '../lib/ids.ts';
import type { Caller, Session } from './caller.ts';

/** The most cached credentials; the least recently used is dropped first. */
const SESSIONS_MAX = 10_000;
/** Short enough that a revocation on another node, or by a command, takes effect here within 5 s. */
export const SESSION_LIFETIME_MS = 3_000;
/** The number of revocation counters, which users share. A shared one may cost a query, but never a wrong answer. */
const REVOCATION_SLOTS = 1_024;

interface Entry {
  session: Session;
  /** On the monotonic clock. */
  until: number;
  /** The user's revocation count when the entry was made. */
  revocations: number;
}

/** The state of revocations before the database was queried. */
export interface CacheTicket {
  until: number;
  revocations: number;
}

/**
 * Caches the owners of credentials for a few seconds, so that most requests need no query for them. Code that ends a
 * credential on this node calls `drop`, so that the next request sees it.
 */
export class CallerCache {
  readonly #clock: Clock;
  readonly #entries = lruCache<string, Entry>(SESSIONS_MAX);
  /** The same entries by their `Caller` objects. */
  readonly #entryOf = new WeakMap<Caller, Entry>();
  readonly #revocationsOf = new Uint32Array(REVOCATION_SLOTS);
  #revocations = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The key of a credential: its digest, so that the cache holds no usable credential. */
  keyOf(credential: string): string {
    return sha256Hex(credential);
  }

  get(key: string): Session | undefined {
    return this.#fresh(this.#entries.get(key));
  }

  /** The session of a `Caller` from this cache, without the cost of a digest. */
  of(caller: Caller): Session | undefined {
    return this.#fresh(this.#entryOf.get(caller));
  }

  #fresh(entry: Entry | undefined): Session | undefined {
    if (!entry || this.#clock.monotonic() >= entry.until) return undefined;
    const revocations = this.#revocationsOf[slotOf(entry.session.caller.userId)];
    return entry.revocations === revocations ? entry.session : undefined;
  }

  /** Call it before querying the database, and pass the ticket to `put`. */
  ticket(): CacheTicket {
    return {
      until: this.#clock.monotonic() + SESSION_LIFETIME_MS,
      revocations: this.#revocations,
    };
  }

  /** Caches a session, unless something was revoked since the ticket was issued, which the query may have missed. */
  put(ticket: CacheTicket, key: string, session: Session): void {
    if (ticket.revocations !== this.#revocations) return;
    const revocations = this.#revocationsOf[slotOf(session.caller.userId)] ?? 0;
    const entry = { session, until: ticket.until, revocations };
    this.#entries.set(key, entry);
    this.#entryOf.set(session.caller, entry);
  }

  /** Drops every session of a user. Call after the commit that ended one of them. */
  drop(userId: number): void {
    const slot = slotOf(userId);
    this.#revocationsOf[slot] = (this.#revocationsOf[slot] ?? 0) + 1;
    this.#revocations++;
  }
}

function slotOf(userId: number): number {
  return userId % REVOCATION_SLOTS;
}
