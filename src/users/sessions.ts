import { prepareInsert, tables, type Database, type Sql, type Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import type { CallerCache } from './caller-cache.ts';
import type { SecurityLog } from './security-log.ts';
import type { Audience } from './caller.ts';
import type { IssuedToken, Tokens } from './tokens.ts';

/** A login that has not ended. */
export interface OpenSession {
  /** The id of its first token. */
  id: string;
  /** Which interface accepts it. */
  kind: Audience;
  startedAt: number;
  /** When its current token expires. */
  expiresAt: number;
  /** The browser and system, or the program, with which it was begun; null: unknown. */
  device: string | null;
  /** The client's IP address at the login; null: unknown. */
  address: string | null;
  isCurrent: boolean;
}

interface SessionRow extends Omit<OpenSession, 'isCurrent'> {
  /** The id of its current token. */
  jti: string;
}

const insertSession = prepareInsert(tables.sessions);

/** Records a session that begins. */
export async function noteSession(
  tx: Tx,
  userId: number,
  kind: Audience,
  epoch: number,
  { jti, startedAt, expiresAt }: IssuedToken,
  place: Pick<OpenSession, 'device' | 'address'>,
): Promise<void> {
  const row = { user_id: userId, id: jti, jti, kind, started_at: startedAt };
  await insertSession(tx, [{ ...row, expires_at: expiresAt, epoch, ...place }]);
}

interface TokenOwner {
  login: string;
  epoch: number;
  isBlocked: number;
  mustChange: number;
  /** 1 if the token was revoked. */
  revoked: number;
  /** 1 if the role needs a second factor that the user lacks. */
  mustSetUp: number;
}

/** Only in use if operators and admins must have one: otherwise it costs nothing. */
const lacksSecondFactor = `CASE WHEN is_admin + is_operator > 0 AND NOT EXISTS (SELECT 1 FROM second_factors f
    WHERE f.user_id = users.id AND confirmed_at IS NOT NULL) THEN 1 ELSE 0 END`;

/**
 * The user of a token, with the facts that decide whether the token is still valid.
 * @param needsFactor whether operators and admins must have a second factor
 */
export async function tokenOwner(
  sql: Sql,
  userId: number,
  jti: string,
  needsFactor: boolean,
): Promise<TokenOwner | undefined> {
  const [owner] = await sql.query<TokenOwner>(
    `SELECT login, token_epoch AS epoch, is_blocked AS "isBlocked",
       must_change_password AS "mustChange", ${needsFactor ? lacksSecondFactor : '0'} AS "mustSetUp",
       (SELECT COUNT(*) FROM revoked_tokens WHERE jti = $2) AS revoked
     FROM users WHERE id = $1`,
    [userId, jti],
  );
  return owner;
}

/**
 * Records the token that continues a session.
 * @param old the id of the previous token @param next `epoch`: only if it differs
 */
export async function continueSession(
  tx: Tx,
  userId: number,
  old: string,
  { jti, expiresAt, epoch }: { jti: string; expiresAt: number; epoch?: number },
): Promise<void> {
  await tx.query(
    `UPDATE sessions SET jti = $1, expires_at = $2, epoch = COALESCE(CAST($5 AS INTEGER), epoch)
     WHERE user_id = $3 AND jti = $4`,
    [jti, expiresAt, userId, old, epoch ?? null],
  );
}

/** Deletes a session whose token has ended. */
export async function forgetSession(tx: Tx, userId: number, jti: string): Promise<void> {
  await tx.query('DELETE FROM sessions WHERE user_id = $1 AND jti = $2', [userId, jti]);
}

export interface SessionsParts {
  db: Database;
  clock: Clock;
  tokens: Tokens;
  callers: CallerCache;
  security: SecurityLog;
}

/** The sessions of users: for showing them, and for ending them from elsewhere. */
export class Sessions {
  readonly #parts: SessionsParts;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  /** Newest first. @param jti the id of the caller's own token, if it has one */
  async list(userId: number, jti: string | undefined): Promise<OpenSession[]> {
    const rows = await this.#open(this.#parts.db, userId);
    return rows.map(({ jti: own, ...row }) => ({ ...row, isCurrent: own === jti }));
  }

  /** Ends one session. @throws `not_found` if the user has no such session */
  async end(userId: number, id: string): Promise<void> {
    const ended = await this.#endThose(userId, (row) => row.id === id);
    if (ended === 0) throw new DomainError('not_found', 'you have no open session of this id');
  }

  /** Ends all sessions except that of a token. @returns how many */
  endOthers(userId: number, jti: string | undefined): Promise<number> {
    return this.#endThose(userId, (row) => row.jti !== jti);
  }

  async #endThose(userId: number, picks: (row: SessionRow) => boolean): Promise<number> {
    const { db, tokens, callers, security } = this.#parts;
    const ended = await db.transaction(async (tx) => {
      const rows = (await this.#open(tx, userId)).filter(picks);
      for (const { jti, expiresAt } of rows) {
        await tokens.revoke(tx, { jti, userId, expiresAt });
        await forgetSession(tx, userId, jti);
      }
      return rows.length;
    });
    callers.drop(userId);
    if (ended > 0) security.done('logout', { user: userId, sessions: ended });
    return ended;
  }

  /** A session also ends when its token expires, or when a password change ends all sessions. */
  #open(sql: Sql, userId: number): Promise<SessionRow[]> {
    return sql.query<SessionRow>(
      `SELECT s.id, jti, kind, started_at AS "startedAt", expires_at AS "expiresAt", device, address
       FROM sessions s JOIN users u ON u.id = s.user_id AND u.token_epoch = s.epoch
       WHERE s.user_id = $1 AND expires_at > $2 ORDER BY started_at DESC, s.id`,
      [userId, this.#parts.clock.now()],
    );
  }
}
