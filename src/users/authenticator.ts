import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError, invalidField, type ErrorCode } from '../lib/errors.ts';
import { API_KEY_PREFIX, type ApiKeys } from './api-keys.ts';
import type { Caller, Session, TokenCredential } from './caller.ts';
import type { CallerCache } from './caller-cache.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { PasswordCheck, wrongCredentials } from './password-check.ts';
import type { Passwords } from './passwords.ts';
import { checkRight, type Right } from './rights.ts';
import type { SecurityLog } from './security-log.ts';
import {
  invalidToken,
  tokenExpired,
  tokenRevoked,
  userBlocked,
  type IssuedToken,
  type Tokens,
} from './tokens.ts';
import type { User } from './user-row.ts';
import type { Users } from './users.ts';

export interface LoginInput {
  login: string;
  password: string;
  /** The client's IP address, as the trusted proxies tell it. */
  address: string;
  /** How long the token lasts, when it is not the configured time. */
  ttlSeconds?: number | undefined;
}

export interface AuthenticatorParts {
  db: Database;
  clock: Clock;
  users: Users;
  passwords: Passwords;
  tokens: Tokens;
  keys: ApiKeys;
  throttle: LoginThrottle;
  callers: CallerCache;
  security: SecurityLog;
}

/** Who is calling: logins, and the credentials that requests carry. */
export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #passwordCheck: PasswordCheck;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
    this.#passwordCheck = new PasswordCheck(parts);
  }

  /**
   * Exchanges a login and a password for a token. After a login with an initial password, the token is good only for
   * changing it.
   * @throws `wrong_credentials` for an unknown login and a wrong password alike, in like time;
   *   `user_blocked` only with the right password; `too_many_attempts`, `overloaded`
   */
  async login(input: LoginInput): Promise<IssuedToken & { user: User }> {
    const { security, tokens } = this.#parts;
    const { address, ttlSeconds } = input;
    const { user, tokenEpoch } = await this.#passwordCheck.run(input, 'login_refused');
    const facts = { user: user.id, login: user.login, address };
    if (user.isBlocked) {
      security.refused('login_refused', 'user_blocked', facts);
      throw userBlocked();
    }
    // The epoch was read before the password was checked: what ended tokens meanwhile ends this one too.
    const issued = await tokens.issue(user.id, tokenEpoch, { ttlSeconds });
    security.done('login_succeeded', facts);
    return { ...issued, user };
  }

  /**
   * Sets a new password and ends all tokens, the caller's too. Guessing the current one is throttled
   * like a login.
   * @throws `wrong_credentials` for a wrong current one; `invalid_request` naming `new_password`;
   *   `too_many_attempts`, `overloaded`
   */
  async changePassword(
    caller: Caller,
    input: { current: string; next: string; address: string },
  ): Promise<void> {
    const { address } = input;
    const { user, tokenEpoch } = await this.#passwordCheck.run(
      { login: caller.login, password: input.current, address },
      'password_change_refused',
    );
    if (user.mustChangePassword && input.next.normalize('NFC') === input.current.normalize('NFC')) {
      throw invalidField('new_password', 'must not be the initial one');
    }
    const changed = await this.#parts.users.setPassword(user.id, input.next, {
      field: 'new_password',
      expectedEpoch: tokenEpoch,
    });
    if (!changed) throw wrongCredentials();
    const facts = { user: user.id, login: user.login, address };
    this.#parts.security.done('password_changed', facts);
  }

  /**
   * Whose token or API key this is, if that is in the cache. Synchronous, since every request comes through here.
   * @returns undefined if the database has to be asked, or if the credential may not do this: call `authenticate`
   */
  remembered(credential: string | undefined, right: Right): Caller | undefined {
    if (!credential) return undefined;
    const { callers } = this.#parts;
    const session = callers.get(callers.keyOf(credential));
    try {
      return session && this.#fit(session, right);
    } catch {
      return undefined;
    }
  }

  /**
   * Whether a caller's credential is still valid, as far as the cache knows.
   * @returns false if the database has to be asked again: call `authenticate`
   */
  isStillGood(caller: Caller): boolean {
    const expiresAt = this.#parts.callers.of(caller)?.expiresAt;
    return expiresAt !== undefined && !this.#isExpired(expiresAt);
  }

  /**
   * Finds out whose token or API key this is. The result is cached for a few seconds; whatever ends a credential on
   * this node takes effect at once all the same.
   * @param credential what stands after `Bearer `
   * @param right what it must be good for
   * @throws `unauthenticated` for none; `invalid_token`, `token_expired`, `token_revoked`, `user_blocked`;
   *   `forbidden` for a credential that is not for this
   */
  async authenticate(credential: string | undefined, right: Right = 'account'): Promise<Caller> {
    if (!credential) {
      throw new DomainError('unauthenticated', 'log in, and send the token as a bearer token');
    }
    try {
      const { callers } = this.#parts;
      const key = callers.keyOf(credential);
      const session = callers.get(key) ?? (await this.#lookUp(credential, key));
      return this.#fit(session, right);
    } catch (error) {
      if (error instanceof DomainError) this.#tellRefused(error.code);
      throw error;
    }
  }

  /** @throws `token_expired`, `forbidden` */
  #fit({ caller, expiresAt }: Session, right: Right): Caller {
    this.#checkExpiry(expiresAt);
    checkRight(caller, right);
    return caller;
  }

  /** Ends the caller's token; ending it twice is harmless. @throws `forbidden` with an API key */
  async logout(caller: Caller): Promise<void> {
    const { jti, expiresAt } = tokenOf(caller);
    const { db, tokens, callers } = this.#parts;
    const { userId, login } = caller;
    await db.transaction((tx) => tokens.revoke(tx, { jti, userId, expiresAt }));
    callers.drop(userId);
    this.#parts.security.done('logout', { user: userId, login });
  }

  /**
   * Trades the caller's live token for a fresh one and ends the old one. Of several at once, one wins.
   * The session began with its login and keeps its end: no token outlasts that.
   * @throws `token_revoked`, `token_expired`, `user_blocked`; `forbidden` with an API key
   */
  async refresh(caller: Caller): Promise<IssuedToken> {
    const { jti, expiresAt, startedAt, epoch } = tokenOf(caller);
    const { userId, login } = caller;
    const { db, tokens, callers, security } = this.#parts;
    this.#checkExpiry(expiresAt);
    await db.transaction(async (tx) => {
      // The database is asked, not the cache: a token that a password change ended must not be replaced by a new one.
      const [user] = await tx.query<{ epoch: number; isBlocked: number }>(
        'SELECT token_epoch AS epoch, is_blocked AS "isBlocked" FROM users WHERE id = $1',
        [userId],
      );
      if (user?.isBlocked === 1) throw userBlocked();
      if (user?.epoch !== epoch) throw tokenRevoked();
      if (!(await tokens.revoke(tx, { jti, userId, expiresAt }))) throw tokenRevoked();
    });
    callers.drop(userId);
    // With the old token's epoch: a password change that came after the check ends this one too.
    const issued = await tokens.issue(userId, epoch, { startedAt });
    security.done('token_refreshed', { user: userId, login });
    return issued;
  }

  async #lookUp(credential: string, key: string): Promise<Session> {
    const { callers, keys } = this.#parts;
    const ticket = callers.ticket();
    const session = credential.startsWith(API_KEY_PREFIX)
      ? await keys.authenticate(credential)
      : await this.#readToken(credential);
    callers.put(ticket, key, session);
    return session;
  }

  /** Logged as a count: anybody may send any number of bad credentials. */
  #tellRefused(code: ErrorCode): void {
    const { security } = this.#parts;
    if (code === 'forbidden') security.counted('access_refused', 'credential');
    else if (refusals.has(code)) security.counted('credential_refused', code);
  }

  async #readToken(token: string): Promise<Session> {
    const { userId, jti, expiresAt, startedAt, epoch } = await this.#parts.tokens.verify(token);
    const [user] = await this.#parts.db.query<{
      login: string;
      epoch: number;
      isBlocked: number;
      mustChange: number;
      revoked: number;
    }>(
      `SELECT login, token_epoch AS epoch, is_blocked AS "isBlocked",
         must_change_password AS "mustChange",
         (SELECT COUNT(*) FROM revoked_tokens WHERE jti = $2) AS revoked
       FROM users WHERE id = $1`,
      [userId, jti],
    );
    if (!user) throw invalidToken();
    if (user.isBlocked === 1) throw userBlocked();
    if (user.revoked > 0 || user.epoch !== epoch) throw tokenRevoked();
    const mustChangePassword = user.mustChange === 1;
    const credential: TokenCredential = {
      kind: 'token',
      jti,
      expiresAt,
      startedAt,
      epoch,
      mustChangePassword,
    };
    return { caller: { userId, login: user.login, credential }, expiresAt };
  }

  #checkExpiry(expiresAt: number | null): void {
    if (this.#isExpired(expiresAt)) throw tokenExpired();
  }

  #isExpired(expiresAt: number | null): boolean {
    return expiresAt !== null && this.#parts.clock.now() >= expiresAt;
  }
}

const refusals: ReadonlySet<ErrorCode> = new Set([
  'invalid_token',
  'token_expired',
  'token_revoked',
  'user_blocked',
]);

function tokenOf(caller: Caller): TokenCredential {
  if (caller.credential.kind === 'token') return caller.credential;
  throw new DomainError(
    'forbidden',
    'an API key has no session; log in, or revoke the key instead',
  );
}
