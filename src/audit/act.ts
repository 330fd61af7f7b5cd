import { nextNumber, prepareInsert, tables, type Database, type Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { AuditAction } from './actions.ts';
import { detailsOf, SUBJECT_CHARACTERS_MAX, type ActValues } from './details.ts';

export type Actor =
  | {
      origin: 'http';
      userId: number;
      /** Undefined: with a token. */
      keyId: string | undefined;
      address: string;
      requestId: string;
    }
  | {
      origin: 'command';
      /** The user of the operating system who ran the command. */
      systemUser: string;
    }
  /** The start of a server, because of its settings. */
  | { origin: 'server' };

/** What an act is about, and what it changed. It never contains a login, a text of a user, a password or a key. */
export interface ActFacts {
  /** The user whom the act is about. The login is looked up when the row is read. */
  userId?: number | undefined;
  /** What else it is about: the id of a key or a model, or the name of a release. */
  subject?: string | number | undefined;
  /** The values that the act changed, before the act. */
  before?: ActValues | undefined;
  after?: ActValues | undefined;
  /** Changes, one line each, if there may be thousands. */
  changes?: readonly string[] | undefined;
}

const insertEntry = prepareInsert(tables.audit_entries);

/**
 * An administrative act that is about to happen. The code that makes the change records the act in its own transaction,
 * as its last step, so that the row exists if and only if the change does.
 */
export class Act {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #action: AuditAction;
  readonly #actor: Actor;

  constructor(parts: { db: Database; clock: Clock }, action: AuditAction, actor: Actor) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#action = action;
    this.#actor = actor;
  }

  /** Records the act in the transaction of its change. Until that transaction ends, other acts wait. */
  async record(tx: Tx, { userId, subject, ...values }: ActFacts): Promise<void> {
    const actor = this.#actor;
    const isHttp = actor.origin === 'http';
    const row = {
      // The counter stays locked, so numbers are in the order of commits, and pages by number miss no row.
      number: await nextNumber(tx, 'audit_entries'),
      at: this.#clock.now(),
      action: this.#action,
      origin: actor.origin,
      by_user: isHttp ? actor.userId : null,
      by_key: isHttp ? (actor.keyId ?? null) : null,
      address: isHttp ? actor.address : null,
      os_user: actor.origin === 'command' ? actor.systemUser : null,
      request_id: isHttp ? actor.requestId : null,
      user_id: userId ?? null,
      subject: subject === undefined ? null : String(subject).slice(0, SUBJECT_CHARACTERS_MAX),
      details: detailsOf(values),
    };
    await insertEntry(tx, [row]);
  }

  /** Records an act that did not change the database, after it has happened. */
  recordAlone(facts: ActFacts): Promise<void> {
    return this.#db.transaction((tx) => this.record(tx, facts));
  }
}
