import { DomainError, invalidField, type ErrorCode } from '../lib/errors.ts';
import type { ApiKeys } from './api-keys.ts';
import {
  type Audience,
  checkRight,
  type Caller,
  type Right,
  type Session,
  type TokenCredential,
} from './caller.ts';
import { type Confirmation, confirmSession } from './confirmation.ts';
import { deviceOf } from './device.ts';
import { API_KEY_PREFIX } from './key-secret.ts';
import { OwnSecondFactor } from './own-second-factor.ts';
import {
  PasswordCheck,
  wrongCredentials,
  type Guess,
  type PasswordCheckParts,
} from './password-check.ts';
import { refreshSession, tokenOf } from './refresh.ts';
import {
  continueSession,
  forgetSession,
  noteSession,
  Sessions,
  tokenOwner,
  type SessionsParts,
} from './sessions.ts';
import {
  invalidToken,
  tokenExpired,
  tokenRevoked,
  userBlocked,
  type IssuedToken,
} from './tokens.ts';
import type { User } from './user.ts';

export interface LoginInput {
  login: string;
  password: string;
  /** The code, for a user who has a second factor: see `Guess`. */
  code?: Guess['code'];
  /** The client's IP address, as reported by trusted proxies. */
  address: string;
  /** The header as the client sent it. */
  userAgent?: string | null;
  trace?: Guess['trace'];
  /** Which interface accepts the token; `api` by default. */
  audience?: Audience | undefined;
  /** The lifetime of the token, if it differs from the configured one. */
  ttlSeconds?: number | undefined;
}

export interface AuthenticatorParts extends PasswordCheckParts, SessionsParts {
  keys: ApiKeys;
  /** Whether operators and admins must have a second factor. */
  needsFactor: boolean;
}

export interface Login extends IssuedToken {
  user: User;
  /** The token is valid only for setting up a second factor. */
  mustSetUpSecondFactor: boolean;
}

/** Logs users in, and checks the credentials of requests. */
export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #passwordCheck: PasswordCheck;
  readonly sessions: Sessions;
  readonly secondFactor: OwnSecondFactor;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
    this.#passwordCheck = new PasswordCheck(parts);
    this.sessions = new Sessions(parts);
    this.secondFactor = new OwnSecondFactor(parts, this.#passwordCheck);
  }

  /**
   * Exchanges a login and a password for a token. If the password is an initial one, the token is valid only for
   * changing it.
   * @throws `wrong_credentials` for an unknown login and for a wrong password, after the same time; `user_blocked`,
   * `code_required` and `code_invalid` only with the right password; `too_many_attempts`, `overloaded`
   */
  async login(input: LoginInput): Promise<Login> {
    const { security, tokens, needsFactor } = this.#parts;
    const { address, audience, ttlSeconds } = input;
    const { user, tokenEpoch, factor } = await this.#passwordCheck.run(input, 'login_refused');
    const facts = { user: user.id, login: user.login, address };
    if (user.isBlocked) {
      security.refused('login_refused', 'user_blocked', facts);
      throw userBlocked();
    }
    // The epoch was read before the password was checked. A change that has ended tokens since then ends this one as
    // well.
    const issued = await tokens.issue(user.id, tokenEpoch, { audience, ttlSeconds });
    await this.#parts.db.transaction((tx) =>
      noteSession(tx, user.id, audience ?? 'api', tokenEpoch, issued, {
        device: deviceOf(input.userAgent ?? ''),
        address,
      }),
    );
    security.done('login_succeeded', facts);
    const mustSetUpSecondFactor = needsFactor && user.role !== 'user' && factor === null;
    return { ...issued, user, mustSetUpSecondFactor };
  }

  /**
   * Sets a new password and ends all tokens, including the caller's. Attempts to guess the current password are
   * throttled like logins.
   * @throws `wrong_credentials` if the current password is wrong; `code_required`, `code_invalid`; `invalid_request`
   *   naming `new_password`; `too_many_attempts`, `overloaded`
   */
  async changePassword(
    caller: Caller,
    input: { current: string; code?: string | undefined; next: string; address: string },
  ): Promise<void> {
    const { address, code } = input;
    const { user, tokenEpoch } = await this.#passwordCheck.run(
      { login: caller.login, password: input.current, code, address },
      'password_change_refused',
    );
    if (user.mustChangePassword && input.next.normalize('NFC') === input.current.normalize('NFC')) {
      throw invalidField('new_password', 'must differ from the initial password');
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
   * The owner of a credential, if it is cached. Synchronous, since every request needs it.
   * @returns undefined if the database has to be queried or the credential lacks the right: call `authenticate`
   */
  remembered(credential: string | undefined, right: Right): Caller | undefined {
    if (!credential) return undefined;
    const { callers } = this.#parts;
    const session = callers.get(callers.keyOf(credential));
    try {
      return session && this.#check(session, right);
    } catch {
      return undefined;
    }
  }

  /**
   * Whether the cache knows that a caller's credential is still valid.
   * @returns false if the database has to be queried: call `authenticate`
   */
  isStillValid(caller: Caller): boolean {
    const expiresAt = this.#parts.callers.of(caller)?.expiresAt;
    return expiresAt !== undefined && !this.#isExpired(expiresAt);
  }

  /**
   * Finds the owner of a token or API key. The result is cached for a few seconds, but a credential that is ended on
   * this node stops working immediately.
   * @param credential the text after `Bearer `
   * @throws `unauthenticated` without a credential; `invalid_token`, `token_expired`, `token_revoked`, `user_blocked`;
   * `forbidden` if the credential lacks the right
   */
  async authenticate(credential: string | undefined, right: Right = 'account'): Promise<Caller> {
    if (!credential) {
      throw new DomainError('unauthenticated', 'send a token or an API key as a bearer token');
    }
    const key = this.#parts.callers.keyOf(credential);
    const find = () =>
      credential.startsWith(API_KEY_PREFIX)
        ? this.#parts.keys.authenticate(credential)
        : this.#readToken(credential, 'api');
    return this.#find(key, find, right);
  }

  /**
   * Finds the user of a token in a cookie of the cookie interface or of the web page. Each accepts only its own tokens.
   * @throws as `authenticate`
   */
  async authenticateCookie(
    token: string | undefined,
    audience: 'cookie' | 'page' = 'cookie',
    right: Right = 'account',
  ): Promise<Caller> {
    if (!token) throw new DomainError('unauthenticated', 'log in, and send the cookie');
    // In the cache, no bearer credential has this key.
    const key = `${this.#parts.callers.keyOf(token)} ${audience}`;
    return this.#find(key, () => this.#readToken(token, audience), right);
  }

  /**
   * Continues a session of the web page with a new token of the same id, which ends together with the old one.
   * @param ttlSeconds the lifetime of the new token, and of the old one
   * @returns undefined while the token is younger than `ageSeconds`, or if a new token would not last longer
   */
  async renew(
    { userId, credential }: Caller,
    ttlSeconds: number,
    ageSeconds: number,
  ): Promise<IssuedToken | undefined> {
    if (credential.kind !== 'token') return undefined;
    const { jti, startedAt, confirmedAt, epoch, expiresAt } = credential;
    const renewedAt = expiresAt - (ttlSeconds - ageSeconds) * 1000;
    if (this.#parts.clock.now() < renewedAt) return undefined;
    const options = { audience: 'page', ttlSeconds, startedAt, confirmedAt, jti } as const;
    const issued = await this.#parts.tokens.issue(userId, epoch, options);
    if (issued.expiresAt <= expiresAt) return undefined;
    await this.#parts.db.transaction((tx) => continueSession(tx, userId, jti, issued));
    return issued;
  }

  /** Asks for the password of a page's session again: see `confirmSession`. */
  confirm(caller: Caller, input: Confirmation): Promise<IssuedToken> {
    return confirmSession(this.#parts, this.#passwordCheck, caller, input);
  }

  /** @param find queries the database, unless the cache has the key */
  async #find(key: string, find: () => Promise<Session>, right: Right): Promise<Caller> {
    const { callers } = this.#parts;
    try {
      const cached = callers.get(key);
      if (cached) return this.#check(cached, right);
      const ticket = callers.ticket();
      const session = await find();
      callers.put(ticket, key, session);
      return this.#check(session, right);
    } catch (error) {
      if (error instanceof DomainError) this.#logRefused(error.code);
      throw error;
    }
  }

  /** @throws `token_expired`, `forbidden` */
  #check({ caller, expiresAt }: Session, right: Right): Caller {
    if (this.#isExpired(expiresAt)) throw tokenExpired();
    checkRight(caller, right);
    return caller;
  }

  /** Ends the caller's token. Ending it twice is harmless. @throws `forbidden` with an API key */
  async logout(caller: Caller): Promise<void> {
    const { jti, expiresAt } = tokenOf(caller);
    const { db, tokens, callers } = this.#parts;
    const { userId, login } = caller;
    await db.transaction(async (tx) => {
      await tokens.revoke(tx, { jti, userId, expiresAt });
      await forgetSession(tx, userId, jti);
    });
    callers.drop(userId);
    this.#parts.security.done('logout', { user: userId, login });
  }

  /** Replaces the caller's token by a new one: see `refreshSession`. */
  refresh(caller: Caller): Promise<IssuedToken> {
    return refreshSession(this.#parts, caller);
  }

  /** Logs a count, since anyone can send any number of bad credentials. */
  #logRefused(code: ErrorCode): void {
    const { security } = this.#parts;
    if (code === 'forbidden') security.counted('access_refused', 'credential');
    else if (refusals.has(code)) security.counted('credential_refused', code);
  }

  async #readToken(token: string, audience: Audience): Promise<Session> {
    const { userId, ...facts } = await this.#parts.tokens.verify(token, audience);
    const user = await tokenOwner(this.#parts.db, userId, facts.jti, this.#parts.needsFactor);
    if (!user) throw invalidToken();
    if (user.isBlocked === 1) throw userBlocked();
    if (user.revoked > 0 || user.epoch !== facts.epoch) throw tokenRevoked();
    const credential: TokenCredential = {
      kind: 'token',
      ...facts,
      mustChangePassword: user.mustChange === 1,
      mustSetUpSecondFactor: user.mustSetUp === 1,
    };
    return { caller: { userId, login: user.login, credential }, expiresAt: facts.expiresAt };
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
