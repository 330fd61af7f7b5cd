import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** What happens to access. The names are for alerts and searches: `docs/operating.md` lists them. */
export const securityEvents = [
  'login_succeeded',
  'login_refused',
  'login_throttled',
  'logout',
  'token_refreshed',
  'password_changed',
  'password_change_refused',
  'key_made',
  'key_revoked',
  'credential_refused',
  'access_refused',
  'admin_action',
] as const;

export type SecurityEvent = (typeof securityEvents)[number];

/** Who, what and whom: ids, logins, codes and addresses. Never a password, a token or a key. */
export type SecurityFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Between two lines about refusals of one kind, milliseconds. */
export const TALLY_MS = 60_000;

interface Tally {
  event: SecurityEvent;
  reason: string;
  facts: SecurityFacts;
  /** Not told of yet. */
  count: number;
  /** On the monotonic clock. */
  toldAt: number;
}

/**
 * Writes a line of the log for each security event. Events that anybody can cause in any number are counted instead.
 */
export class SecurityLog {
  readonly #log: Log;
  readonly #clock: Clock;
  /** By event and reason, both out of closed lists. */
  readonly #tallies = new Map<string, Tally>();

  constructor(parts: { log: Log; clock: Clock }) {
    this.#log = parts.log;
    this.#clock = parts.clock;
  }

  /** Something that was done. */
  done(event: SecurityEvent, facts: SecurityFacts): void {
    this.#log.info({ event, ...facts }, 'security');
  }

  /** Something that was refused, and that can't come in floods, e.g. since it is throttled. */
  refused(event: SecurityEvent, reason: string, facts: SecurityFacts): void {
    this.#log.warn({ event, reason, ...facts }, 'security');
  }

  /**
   * Something that was refused and may come in any number. The first is logged at once, further ones at most once a
   * minute as a count with the facts of the last one.
   */
  counted(event: SecurityEvent, reason: string, facts: SecurityFacts = {}): void {
    const name = `${event} ${reason}`;
    const tally = this.#tallies.get(name) ?? { event, reason, facts, count: 0, toldAt: -Infinity };
    this.#tallies.set(name, tally);
    tally.facts = facts;
    tally.count++;
    this.#tell(tally);
  }

  /** Logs the counts that are due. Call about once a minute. @param all also those that are not due yet */
  flush(all = false): void {
    for (const tally of this.#tallies.values()) this.#tell(tally, all);
  }

  #tell(tally: Tally, undue = false): void {
    const { event, reason, count, facts } = tally;
    const now = this.#clock.monotonic();
    if (count === 0 || (!undue && now - tally.toldAt < TALLY_MS)) return;
    tally.count = 0;
    tally.toldAt = now;
    this.refused(event, reason, { count, ...facts });
  }
}
