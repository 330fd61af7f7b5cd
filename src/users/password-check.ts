import { DomainError } from '../lib/errors.ts';
import { KeyedSemaphore } from '../lib/keyed-semaphore.ts';
import { networksOf, type LoginThrottle } from './login-throttle.ts';
import type { HashLane, Passwords } from './passwords.ts';
import type { SecondFactors } from './second-factors.ts';
import type { SecurityEvent, SecurityLog } from './security-log.ts';
import { splitCode } from './totp.ts';
import type { StoredCredentials, Users } from './users.ts';

/**
 * Concurrent password checks of one network, or of one user at usual addresses. A check holds an attempt while it runs,
 * so this must be low enough that correct passwords alone never use up the attempts of a login, even on two nodes. It
 * is higher than the number of concurrent hashes, so that waiting for a turn takes no longer than waiting for a hash.
 */
const CONCURRENT_MAX = 4;
/** The most checks that wait for their turn in one of these groups: about two seconds of hashes. */
const WAITING_MAX = 100;

export interface PasswordCheckParts {
  users: Users;
  passwords: Passwords;
  throttle: LoginThrottle;
  security: SecurityLog;
  factors: SecondFactors;
}

export interface Guess {
  login: string;
  password: string;
  /** The code of the second factor; `appended`: the code follows the password, for clients without a field for it. */
  code?: string | { appended: true } | undefined;
  /** The client's IP address. */
  address: string;
  /** Absent: there is no request to log. */
  trace?: LoginTrace | undefined;
}

/** A password that was refused, or not checked because of too many attempts. */
export interface RefusedLogin {
  /** Null if there is no such user: the text given as a login may be a password. */
  login: string | null;
  address: string;
}

/** The request with the password. A refusal is recorded in it, for the log. */
export interface LoginTrace {
  refusedLogin?: RefusedLogin | undefined;
}

/** A guess, with what the database knows about it. */
interface PlacedGuess extends Guess {
  stored: StoredCredentials | undefined;
  /** The user has logged in from this address before. */
  isKnown: boolean;
}

/**
 * Checks passwords and then the codes of users who have a second factor: throttled, with the same work for unknown
 * logins, and logged. Passwords are checked nowhere else, so there is no way around the code.
 */
export class PasswordCheck {
  readonly #parts: PasswordCheckParts;
  /**
   * The checks of one network take turns. Each takes an attempt before it is known whether the password is correct, so
   * without turns, people who log in at the same time could use up each other's attempts. A user at a usual address
   * does not wait for neighbours.
   */
  readonly #turns = new KeyedSemaphore(CONCURRENT_MAX, WAITING_MAX);

  constructor(parts: PasswordCheckParts) {
    this.#parts = parts;
  }

  /**
   * @param refusal the event to log for a wrong password
   * @throws `wrong_credentials`, `too_many_attempts`, `overloaded`; only with the correct password `code_required`,
   * `code_invalid`
   */
  async run(guess: Guess, refusal: SecurityEvent): Promise<StoredCredentials> {
    const { users, throttle } = this.#parts;
    const stored = await users.credentials(guess.login);
    const isKnown = await throttle.isKnown(stored?.user.id, guess.address);
    try {
      return await this.#inTurn({ ...guess, stored, isKnown }, refusal);
    } catch (error) {
      const { trace, address } = guess;
      const login = stored?.user.login ?? null;
      if (trace && error instanceof DomainError) trace.refusedLogin = { login, address };
      throw error;
    }
  }

  async #inTurn(guess: PlacedGuess, refusal: SecurityEvent): Promise<StoredCredentials> {
    const { stored, isKnown, address } = guess;
    const check = (lane: HashLane) => this.#check(guess, lane, refusal);
    const turn = isKnown ? `user ${stored?.user.id}` : networksOf(address).at(-1);
    const tooMany = new Error('too many password checks wait');
    try {
      const inTurn = () => check(isKnown ? 'known' : 'new');
      return await this.#turns.run(turn ?? '', inTurn, () => tooMany);
    } catch (error) {
      if (error !== tooMany) throw error;
      // Then the throttle decides. Without turns, one user could fill the lane of known users.
      return check('new');
    }
  }

  async #check(
    guess: PlacedGuess,
    lane: HashLane,
    refusal: SecurityEvent,
  ): Promise<StoredCredentials> {
    const { passwords, throttle, security } = this.#parts;
    const { login, address, stored, isKnown } = guess;
    const { password, code } = partsOf(guess);
    const user = stored?.user;
    // A user may have typed the password as the login, so only the login of an existing user is logged.
    const facts = { user: user?.id ?? null, login: user?.login ?? null, address };
    const attempt = await throttle.take({ login, address, isKnown }).catch((error) => {
      if (error instanceof DomainError) security.counted('login_throttled', error.code, facts);
      throw error;
    });
    let right: boolean;
    try {
      right = await passwords.verify(password, stored?.passwordHash, lane);
      if (stored && right) await this.#checkCode(guess, stored, code);
    } catch (error) {
      // The password was not wrong: wrong codes are counted separately.
      await throttle.giveBack(attempt);
      if (isRefusedCode(error)) security.refused(refusal, error.code, facts);
      throw error;
    }
    if (!stored || !right) {
      security.refused(refusal, 'wrong_credentials', facts);
      throw wrongCredentials();
    }
    await throttle.succeed(attempt, stored.user.id);
    return stored;
  }

  /** @throws `code_required`, `code_invalid`, `too_many_attempts` */
  async #checkCode(
    { isKnown }: PlacedGuess,
    { user, factor: sealed }: StoredCredentials,
    code: string | undefined,
  ): Promise<void> {
    if (sealed === null) return;
    const place = isKnown ? 'known' : 'new';
    await this.#parts.factors.check({ userId: user.id, sealed, code, place });
  }
}

/** The password and the code of a guess. A code is only split off for a user who has a second factor. */
function partsOf({ password, code, stored }: PlacedGuess): { password: string; code?: string } {
  if (typeof code === 'string') return { password, code };
  const split = code && stored?.factor != null ? splitCode(password) : undefined;
  return split ? { password: split.before, code: split.code } : { password };
}

function isRefusedCode(error: unknown): error is DomainError {
  return (
    error instanceof DomainError &&
    (error.code === 'code_invalid' || error.code === 'too_many_attempts')
  );
}

/** The same error for an unknown login and for a wrong password. */
export function wrongCredentials(): DomainError {
  return new DomainError('wrong_credentials', 'the login or the password is wrong');
}
