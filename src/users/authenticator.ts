import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { API_KEY_PREFIX, type ApiKeys } from './api-keys.ts';
import type { Caller, Session, TokenCredential } from './caller.ts';
import type { CallerCache } from './caller-cache.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { Passwords } from './passwords.ts';
import {
  invalidToken,
  tokenExpired,
  tokenRevoked,
  userBlocked,
  type IssuedToken,
  type Tokens,
} from './tokens.ts';
import type { StoredCredentials, User, Users } from './users.ts';

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
}

/** Who is calling: logins, and the credentials that requests carry. */
export class Authenticator {
  readonly #parts: AuthenticatorParts;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /**
   * Trades a login and a password for a token.
   * @throws `wrong_credentials` for an unknown login and a wrong password alike, in like time;
   *   `user_blocked` only with the right password; `too_many_attempts`, `overloaded`
   */
  async login(input: LoginInput): Promise<IssuedToken & { user: User }> {
    const { user, tokenEpoch } = await this.#checkPassword(input);
    if (user.isBlocked) throw userBlocked();
    // The epoch was read before the password was checked: what ended tokens meanwhile ends this one too.
    const issued = await this.#parts.tokens.issue(user.id, tokenEpoch, input.ttlSeconds);
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
    const { user, tokenEpoch } = await this.#checkPassword({
      login: caller.login,
      password: input.current,
      address: input.address,
    });
    const changed = await this.#parts.users.setPassword(user.id, input.next, {
      field: 'new_password',
      expectedEpoch: tokenEpoch,
    });
    if (!changed) throw wrongCredentials();
  }

  /**
   * Tells whose token or API key this is. Remembered for a few seconds: the database is not asked each
   * time, and still everything that ends a credential on this node counts at once.
   * @param credential what stands after `Bearer `
   * @throws `unauthenticated` for none; `invalid_token`, `token_expired`, `token_revoked`, `user_blocked`
   */
  async authenticate(credential: string | undefined): Promise<Caller> {
    if (!credential) {
      throw new DomainError('unauthenticated', 'log in, and send the token as a bearer token');
    }
    const { callers } = this.#parts;
    const key = callers.keyOf(credential);
    const known = callers.get(key);
    if (known) {
      this.#checkExpiry(known.expiresAt);
      return known.caller;
    }
    const ticket = callers.ticket();
    const session = credential.startsWith(API_KEY_PREFIX)
      ? await this.#parts.keys.authenticate(credential)
      : await this.#readToken(credential);
    callers.put(ticket, key, session);
    return session.caller;
  }

  /** Ends the caller's token; ending it twice is harmless. @throws `forbidden` with an API key */
  async logout(caller: Caller): Promise<void> {
    const { jti, expiresAt } = tokenOf(caller);
    const { db, tokens, callers } = this.#parts;
    await db.transaction((tx) => tokens.revoke(tx, { jti, userId: caller.userId, expiresAt }));
    callers.drop(caller.userId);
  }

  /**
   * Trades the caller's live token for a fresh one and ends the old one. Of several at once, one wins.
   * @throws `token_revoked`, `token_expired`, `user_blocked`; `forbidden` with an API key
   */
  async refresh(caller: Caller): Promise<IssuedToken> {
    const { jti, expiresAt, epoch } = tokenOf(caller);
    const { userId } = caller;
    const { db, tokens, callers } = this.#parts;
    this.#checkExpiry(expiresAt);
    await db.transaction(async (tx) => {
      // Asked again, past the cache: a token that a password change ended must not breed a new one.
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
    return tokens.issue(userId, epoch);
  }

  async #checkPassword(input: LoginInput): Promise<StoredCredentials> {
    const { users, passwords, throttle } = this.#parts;
    const stored = await users.credentials(input.login);
    const attempt = await throttle.take({
      login: input.login,
      userId: stored?.user.id,
      address: input.address,
    });
    let right: boolean;
    try {
      right = stored
        ? await passwords.verify(input.password, stored.passwordHash)
        : await passwords.verifyNobody(input.password);
    } catch (error) {
      await throttle.giveBack(attempt);
      throw error;
    }
    if (!stored || !right) throw wrongCredentials();
    await throttle.succeed(attempt, stored.user.id);
    return stored;
  }

  async #readToken(token: string): Promise<Session> {
    const { userId, jti, expiresAt, epoch } = await this.#parts.tokens.verify(token);
    const [user] = await this.#parts.db.query<{
      login: string;
      epoch: number;
      isBlocked: number;
      revoked: number;
    }>(
      `SELECT login, token_epoch AS epoch, is_blocked AS "isBlocked",
         (SELECT COUNT(*) FROM revoked_tokens WHERE jti = $2) AS revoked
       FROM users WHERE id = $1`,
      [userId, jti],
    );
    if (!user) throw invalidToken();
    if (user.isBlocked === 1) throw userBlocked();
    if (user.revoked > 0 || user.epoch !== epoch) throw tokenRevoked();
    const credential: TokenCredential = { kind: 'token', jti, expiresAt, epoch };
    return { caller: { userId, login: user.login, credential }, expiresAt };
  }

  #checkExpiry(expiresAt: number | null): void {
    if (expiresAt !== null && this.#parts.clock.now() >= expiresAt) throw tokenExpired();
  }
}

function tokenOf(caller: Caller): TokenCredential {
  if (caller.credential.kind === 'token') return caller.credential;
  throw new DomainError(
    'forbidden',
    'an API key has no session; log in, or revoke the key instead',
  );
}

function wrongCredentials(): DomainError {
  return new DomainError('wrong_credentials', 'the login or the password is wrong');
}
