import type { Database } from '../db/index.ts';
import { toUnixSeconds, type Clock } from '../lib/clock.ts';
import { Act, type Actor } from './act.ts';
import type { AuditAction } from './actions.ts';
import type { ActValues, Details } from './details.ts';

export const auditOrigins = ['http', 'command', 'server'] as const;
export type AuditOrigin = (typeof auditOrigins)[number];

export interface AuditQuery {
  limit: number;
  /** Only entries with a smaller id. */
  before?: number | undefined;
  /** Only acts about this user. */
  userId?: number | undefined;
  /** Only acts by this user. */
  byUserId?: number | undefined;
  origin?: AuditOrigin | undefined;
  action?: string | undefined;
  /** Included. */
  from?: number | undefined;
  /** Not included. */
  until?: number | undefined;
}

/** An entry as operators see it. Erased users appear with the logins under which the books keep them. */
export interface AuditEntry {
  id: number;
  /** Unix seconds. */
  at: number;
  action: AuditAction;
  origin: AuditOrigin;
  /** The login of the admin; null for commands and the server. */
  by: string | null;
  /** The id of the admin's API key; null: with a token. */
  by_key: string | null;
  address: string | null;
  system_user: string | null;
  /** The login of the user whom the act is about. */
  login: string | null;
  subject: string | null;
  before: ActValues | null;
  after: ActValues | null;
  changes: string[];
  changes_omitted: number;
  request_id: string | null;
}

type Row = Omit<AuditEntry, 'before' | 'after' | 'changes' | 'changes_omitted'> & {
  details: string;
};

/** How many rows are read at a time when all are read. */
const PAGE_ROWS = 500;

/** A filter that is null selects everything. One text serves all filters, since each distinct text stays prepared. */
const page = `SELECT e.number AS id, e.at, e.action, e.origin, maker.login AS "by", e.by_key, e.address,
    e.os_user AS "system_user", about.login AS login, e.subject, e.details, e.request_id
  FROM audit_entries e
  LEFT JOIN users maker ON maker.id = e.by_user
  LEFT JOIN users about ON about.id = e.user_id
  WHERE e.number < $1
    AND (CAST($2 AS BIGINT) IS NULL OR e.user_id = $2)
    AND (CAST($3 AS BIGINT) IS NULL OR e.by_user = $3)
    AND (CAST($4 AS TEXT) IS NULL OR e.origin = $4)
    AND (CAST($5 AS TEXT) IS NULL OR e.action = $5)
    AND e.at >= $6 AND e.at < $7
  ORDER BY e.number DESC LIMIT $8`;

/** Administrative acts: who did what to whom, when and from where. Entries never change. */
export class AuditLog {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** An act that is about to happen; nothing is written until it is recorded. */
  act(action: AuditAction, actor: Actor): Act {
    return new Act({ db: this.#db, clock: this.#clock }, action, actor);
  }

  /** A page, newest first. */
  async read({ before, from, until, ...query }: AuditQuery): Promise<AuditEntry[]> {
    const { userId = null, byUserId = null, origin = null, action = null, limit } = query;
    const rows = await this.#db.query<Row>(page, [
      before ?? Number.MAX_SAFE_INTEGER,
      userId,
      byUserId,
      origin,
      action,
      from ?? 0,
      until ?? Number.MAX_SAFE_INTEGER,
      limit,
    ]);
    return rows.map(toEntry);
  }

  /** All entries that the filters select, newest first, read in pages. */
  async *all(query: Omit<AuditQuery, 'limit' | 'before'>): AsyncGenerator<AuditEntry> {
    for (let before: number | undefined; ;) {
      const entries = await this.read({ ...query, before, limit: PAGE_ROWS });
      yield* entries;
      before = entries.at(-1)?.id;
      if (before === undefined || entries.length < PAGE_ROWS) return;
    }
  }
}

function toEntry({ details, at, request_id: requestId, ...row }: Row): AuditEntry {
  const { before, after, changes, omitted } = JSON.parse(details) as Details;
  return {
    ...row,
    at: toUnixSeconds(at),
    before: before ?? null,
    after: after ?? null,
    changes: changes ?? [],
    changes_omitted: omitted ?? 0,
    request_id: requestId,
  };
}
