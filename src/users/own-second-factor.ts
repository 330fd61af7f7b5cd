import type { Caller } from './caller.ts';
import type { PasswordCheck } from './password-check.ts';
import {
  alreadyOn,
  noSecondFactor,
  type SecondFactors,
  type SecondFactorState,
} from './second-factors.ts';
import { continueSession, type SessionsParts } from './sessions.ts';
import type { IssuedToken } from './tokens.ts';

interface OwnSecondFactorParts extends SessionsParts {
  factors: SecondFactors;
}

/** The password of the caller, and where it comes from. */
interface Proof {
  password: string;
  code?: string | undefined;
  /** The client's IP address. */
  address: string;
}

/**
 * What users do with their own second factor. Each change needs the password: somebody else may be using the session.
 */
export class OwnSecondFactor {
  readonly #parts: OwnSecondFactorParts;
  readonly #passwordCheck: PasswordCheck;

  constructor(parts: OwnSecondFactorParts, passwordCheck: PasswordCheck) {
    this.#parts = parts;
    this.#passwordCheck = passwordCheck;
  }

  state(userId: number): Promise<SecondFactorState> {
    return this.#parts.factors.state(userId);
  }

  /**
   * Begins a second factor; it counts once it is confirmed.
   * @returns the secret, as text and in the URI of a QR code: it is shown only this once
   * @throws `forbidden` if the caller already has one; `wrong_credentials`, `too_many_attempts`, `overloaded`
   */
  async begin(caller: Caller, proof: Proof): Promise<{ secret: string; uri: string }> {
    const { userId, login } = caller;
    if ((await this.state(userId)).since !== null) throw alreadyOn();
    await this.#prove(caller, proof);
    return this.#parts.factors.begin(userId, login);
  }

  /**
   * Makes the second factor count, by its first code. It ends all tokens of the user, since no earlier login has shown
   * a code. The caller's own session of the web page continues with a new token.
   * @throws `not_found` if none was begun; `code_invalid`, `too_many_attempts`
   */
  async confirm(
    { userId, login, credential }: Caller,
    { code, address, ttlSeconds }: { code: string; address: string; ttlSeconds: number },
  ): Promise<{ codes: string[]; token: IssuedToken | undefined }> {
    const { db, tokens, callers, security, factors } = this.#parts;
    const { codes, epoch } = await factors.confirm(userId, code);
    callers.drop(userId);
    security.done('second_factor_set_up', { user: userId, login, address });
    if (credential.kind !== 'token' || credential.audience !== 'page') {
      return { codes, token: undefined };
    }
    const { jti, startedAt, confirmedAt, audience } = credential;
    const options = { audience, ttlSeconds, startedAt, confirmedAt, jti };
    const token = await tokens.issue(userId, epoch, options);
    await db.transaction((tx) => continueSession(tx, userId, jti, { ...token, epoch }));
    return { codes, token };
  }

  /**
   * Replaces the recovery codes, including unused ones.
   * @throws `not_found` without a second factor; `code_required`, `code_invalid`, `wrong_credentials`,
   * `too_many_attempts`, `overloaded`
   */
  async newCodes(caller: Caller, proof: Proof): Promise<string[]> {
    await this.#proveBoth(caller, proof);
    const codes = await this.#parts.factors.newCodes(caller.userId);
    const { userId: user, login } = caller;
    this.#parts.security.done('recovery_codes_made', { user, login, address: proof.address });
    return codes;
  }

  /** Ends the second factor. @throws as `newCodes` */
  async end(caller: Caller, proof: Proof): Promise<void> {
    await this.#proveBoth(caller, proof);
    await this.#parts.factors.remove(caller.userId);
    this.#parts.callers.drop(caller.userId);
    const { userId: user, login } = caller;
    this.#parts.security.done('second_factor_ended', { user, login, address: proof.address });
  }

  async #proveBoth(caller: Caller, proof: Proof): Promise<void> {
    if ((await this.state(caller.userId)).since === null) throw noSecondFactor();
    await this.#prove(caller, proof);
  }

  /** If the user has a second factor, its code is required. */
  async #prove({ login }: Caller, proof: Proof): Promise<void> {
    await this.#passwordCheck.run({ login, ...proof }, 'second_factor_refused');
  }
}
