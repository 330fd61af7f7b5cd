import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** Security events. Operators search and alert by these names; `docs/operating.md` lists them. */
export const securityEvents = [
  'login_succeeded',
  'login_refused',
  'login_throttled',
  'logout',
  'token_refreshed',
  'password_changed',
  'password_change_refused',
  'confirmation_refused',
  'second_factor_set_up',
  'second_factor_ended',
  'second_factor_refused',
  'recovery_codes_made',
  'key_made',
  'key_changed',
  'key_rotated',
  'key_revoked',
  'user_registered',
  'voucher_redeemed',
  'code_refused',
  'credential_refused',
  'access_refused',
  'admin_action',
] as const;

export type SecurityEvent = (typeof securityEvents)[number];

/** Ids, logins, codes and addresses. Never a password, a token or a key. */
export type SecurityFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Milliseconds between two log lines about refusals of one kind. */
export const TALLY_MS = 60_000;

interface Tally {
  event: SecurityEvent;
  reason: string;
  facts: SecurityFacts;
  count: number;
  /** On the monotonic clock. */
  loggedAt: number;
}

/** Logs security events, one line each. Events that anyone can cause in any number are counted instead. */
export class SecurityLog {
  readonly #log: Log;
  readonly #clock: Clock;
  /** By event and reason; both have few values. */
  readonly #tallies = new Map<string, Tally>();

  constructor(parts: { log: Log; clock: Clock }) {
    this.#log = parts.log;
    this.#clock = parts.clock;
  }

  /** Logs an action that succeeded. */
  done(event: SecurityEvent, facts: SecurityFacts): void {
    this.#log.info({ event, ...facts }, 'security');
  }

  /** Logs a refusal that can't occur in large numbers, for example because it is throttled. */
  refused(event: SecurityEvent, reason: string, facts: SecurityFacts): void {
    this.#log.warn({ event, reason, ...facts }, 'security');
  }

  /**
   * Counts a refusal that may occur in large numbers. The first is logged immediately, later ones at most once a minute,
   * as a count with the facts of the last one.
   */
  counted(event: SecurityEvent, reason: string, facts: SecurityFacts = {}): void {
    const name = `${event} ${reason}`;
    const tally = this.#tallies.get(name) ?? {
      event,
      reason,
      facts,
      count: 0,
      loggedAt: -Infinity,
    };
    this.#tallies.set(name, tally);
    tally.facts = facts;
    tally.count++;
    this.#write(tally);
  }

  /** Logs the counts that are due. Call it every `TALLY_MS`. @param all includes those that are not due yet */
  flush(all = false): void {
    for (const tally of this.#tallies.values()) this.#write(tally, all);
  }

  #write(tally: Tally, always = false): void {
    const { event, reason, count, facts } = tally;
    const now = this.#clock.monotonic();
    if (count === 0 || (!always && now - tally.loggedAt < TALLY_MS)) return;
    tally.count = 0;
    tally.loggedAt = now;
    this.refused(event, reason, { count, ...facts });
  }
}
