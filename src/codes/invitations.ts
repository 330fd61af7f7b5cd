import type { Act } from '../audit/index.ts';
import {
  nextNumber,
  prepareInsert,
  tables,
  type Database,
  type RowOf,
  type Sql,
  type Tx,
} from '../db/index.ts';
import {
  authorOf,
  checkLimits,
  commonLimits,
  modelsText,
  noLimits,
  type UserLimits,
} from '../ledger/index.ts';
import { toUnixSecondsOrNull, type Clock } from '../lib/clock.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import { AMOUNT_MAX, AMOUNT_MAX_TEXT, toRubles, type Micro } from '../lib/money.ts';
import { newCode, readCode } from './code-text.ts';
import { checkExpiry, checkNote } from './fields.ts';

export const USES_MAX = 100_000;

const insertInvitation = prepareInsert(tables.invitations);
const insertUse = prepareInsert(tables.invitation_uses);

export interface NewInvitation {
  /** How many users may register; 1 by default. */
  uses?: number | undefined;
  /** The opening top-up of each user. */
  credit?: Micro | undefined;
  limits?: Partial<UserLimits> | undefined;
  note?: string | undefined;
  /** In the future; absent: never. */
  expiresAt?: number | undefined;
  /** `madeByUser` formats a user. */
  madeBy: string;
  act?: Act | undefined;
}

export interface Invitation {
  id: number;
  note: string;
  /** The current login of a user, or another text, e.g. `cli`. */
  madeBy: string;
  createdAt: number;
  /** Null: never. */
  expiresAt: number | null;
  revokedAt: number | null;
  credit: Micro;
  limits: UserLimits;
  uses: number;
  usesMax: number;
}

export interface Invited {
  login: string;
  usedAt: number;
}

/** Makes, lists and revokes invitations for operators, and counts their uses. */
export class Invitations {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * @throws `invalid_request` naming `uses`, `credit`, `note`, `expires_at` or a limit
   * @returns the invitation, and its code, which can't be read again
   */
  async create(input: NewInvitation): Promise<{ invitation: Invitation; code: string }> {
    const now = this.#clock.now();
    const { uses = 1, credit = 0, note = '', expiresAt = null } = input;
    const limits = { ...noLimits, ...input.limits };
    if (!(Number.isInteger(uses) && uses >= 1 && uses <= USES_MAX)) {
      throw invalidField('uses', `must be a whole number from 1 to ${USES_MAX}`);
    }
    if (!(credit >= 0 && credit * uses <= AMOUNT_MAX)) {
      throw invalidField('credit', `must be from 0 to ${AMOUNT_MAX_TEXT} ₽ for all uses together`);
    }
    checkNote(note);
    checkExpiry(expiresAt, now);
    checkLimits(limits);
    const { code, digest } = newCode('invitation');
    const id = await this.#db.transaction(async (tx) => {
      const number = await nextNumber(tx, 'invitations');
      const row = {
        id: number,
        digest,
        note,
        made_by: input.madeBy,
        created_at: now,
        expires_at: expiresAt,
        revoked_at: null,
        credit,
        uses: 0,
        uses_max: uses,
        requests_per_minute: limits.requestsPerMinute,
        tokens_per_minute: limits.tokensPerMinute,
        rubles_per_day: limits.rublesPerDay,
        models: modelsText(limits.models),
      };
      await insertInvitation(tx, [row]);
      const facts = { uses, credit: toRubles(credit), expires_at: toUnixSecondsOrNull(expiresAt) };
      await input.act?.record(tx, { subject: number, after: facts });
      return number;
    });
    return { invitation: await this.get(id), code };
  }

  /** Newest first. @param before only invitations with a smaller id */
  async list(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<Invitation[]> {
    return select(this.#db, 'i.id < $1 ORDER BY i.id DESC LIMIT $2', [before, limit]);
  }

  /** @throws `not_found` */
  async get(id: number): Promise<Invitation> {
    const [invitation] = await select(this.#db, 'i.id = $1', [id]);
    if (!invitation) throw new DomainError('not_found', 'there is no invitation with this id');
    return invitation;
  }

  /** The users who registered with it, newest first. */
  async invited(id: number, limit: number): Promise<Invited[]> {
    return this.#db.query<Invited>(
      `SELECT u.login, n.used_at AS "usedAt"
       FROM invitation_uses n JOIN users u ON u.id = n.user_id
       WHERE n.invitation_id = $1 ORDER BY n.user_id DESC LIMIT $2`,
      [id, limit],
    );
  }

  /**
   * Ends an invitation for good. Users who registered with it stay. Revoking it twice is harmless. @throws `not_found`
   */
  async revoke(id: number, act?: Act): Promise<Invitation> {
    await this.#db.transaction(async (tx) => {
      const revoked = await tx.query(
        'UPDATE invitations SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING id',
        [this.#clock.now(), id],
      );
      if (revoked.length > 0) await act?.record(tx, { subject: id });
    });
    return this.get(id);
  }

  /**
   * The invitation with this code, if somebody can register with it now.
   * @throws `invalid_request` naming `code` if it was mistyped; `not_found`, `invitation_ended`
   */
  async open(code: string): Promise<Invitation> {
    const [invitation] = await select(this.#db, 'i.digest = $1', [readCode('invitation', code)]);
    if (!invitation) throw new DomainError('not_found', 'there is no invitation with this code');
    const { uses, usesMax, expiresAt, revokedAt } = invitation;
    const isOver = expiresAt !== null && expiresAt <= this.#clock.now();
    if (revokedAt !== null || isOver || uses >= usesMax) throw invitationEnded();
    return invitation;
  }

  /** Counts a use. Its row is locked until the end of the transaction. @throws `invitation_ended` */
  async useIn(tx: Tx, id: number, userId: number): Promise<void> {
    const now = this.#clock.now();
    const used = await tx.query(
      `UPDATE invitations SET uses = uses + 1
       WHERE id = $1 AND uses < uses_max AND revoked_at IS NULL
         AND COALESCE(expires_at, $2 + 1) > $2 RETURNING id`,
      [id, now],
    );
    if (used.length === 0) throw invitationEnded();
    await insertUse(tx, [{ invitation_id: id, user_id: userId, used_at: now }]);
  }
}

function invitationEnded(): DomainError {
  return new DomainError(
    'invitation_ended',
    'this invitation is used up, has expired or was revoked: ask whoever gave it to you for another',
  );
}

type InvitationRow = RowOf<typeof tables.invitations.columns> & { author: string };
const author = authorOf('i');

/** @param where the conditions, and the rest of the statement */
async function select(sql: Sql, where: string, params: (string | number)[]): Promise<Invitation[]> {
  const rows = await sql.query<InvitationRow>(
    `SELECT i.*, ${author.login} AS author FROM invitations i ${author.join} WHERE ${where}`,
    params,
  );
  return rows.map((row) => ({
    id: row.id,
    note: row.note,
    madeBy: row.author,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    credit: row.credit,
    limits: commonLimits(row),
    uses: row.uses,
    usesMax: row.uses_max,
  }));
}
