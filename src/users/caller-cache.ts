import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.ts';
import { sha256Hex } from '../lib/ids.ts';
import type { Caller, Session } from './caller.ts';

/** Credentials remembered, the least recently used forgotten first. */
const SESSIONS_MAX = 10_000;
/**
 * Short enough that what another node or a command revokes ends here within 5 s, with some time for the request itself.
 */
export const SESSION_LIFETIME_MS = 3_000;
/** Users share so many revocation counters. Sharing one may cost a needless query, never a wrong answer. */
const REVOCATION_SLOTS = 1_024;

interface Entry {
  session: Session;
  /** On the monotonic clock. */
  until: number;
  /** The user's revocation count when the entry was made. */
  revocations: number;
}

/** What was known of revocations before the database was asked. */
export interface CacheTicket {
  until: number;
  revocations: number;
}

/**
 * Caches for a few seconds who a credential belongs to, so that most requests need no query for it. Whatever ends a
 * credential on this node calls `drop`, so that the next request sees it.
 */
export class CallerCache {
  readonly #clock: Clock;
  readonly #entries = new LRUCache<string, Entry>({ max: SESSIONS_MAX });
  /** The same entries by the `Caller` objects that were handed out. */
  readonly #entryOf = new WeakMap<Caller, Entry>();
  readonly #revocationsOf = new Uint32Array(REVOCATION_SLOTS);
  #revocations = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The key of a credential: its digest, so that no usable credential lies in memory. */
  keyOf(credential: string): string {
    return sha256Hex(credential);
  }

  get(key: string): Session | undefined {
    return this.#fresh(this.#entries.get(key));
  }

  /** The same for a `Caller` that was handed out, without the cost of a digest. */
  of(caller: Caller): Session | undefined {
    return this.#fresh(this.#entryOf.get(caller));
  }

  #fresh(entry: Entry | undefined): Session | undefined {
    if (!entry || this.#clock.monotonic() >= entry.until) return undefined;
    const revocations = this.#revocationsOf[slotOf(entry.session.caller.userId)];
    return entry.revocations === revocations ? entry.session : undefined;
  }

  /** Call before the database is asked, and hand the ticket to `put`. */
  ticket(): CacheTicket {
    return {
      until: this.#clock.monotonic() + SESSION_LIFETIME_MS,
      revocations: this.#revocations,
    };
  }

  /** Remembers a session, unless something was revoked since the ticket: the look-up may not have seen it. */
  put(ticket: CacheTicket, key: string, session: Session): void {
    if (ticket.revocations !== this.#revocations) return;
    const revocations = this.#revocationsOf[slotOf(session.caller.userId)] ?? 0;
    const entry = { session, until: ticket.until, revocations };
    this.#entries.set(key, entry);
    this.#entryOf.set(session.caller, entry);
  }

  /** Forgets every session of a user. Call after the commit that ended one of them. */
  drop(userId: number): void {
    const slot = slotOf(userId);
    this.#revocationsOf[slot] = (this.#revocationsOf[slot] ?? 0) + 1;
    this.#revocations++;
  }
}

function slotOf(userId: number): number {
  return userId % REVOCATION_SLOTS;
}
