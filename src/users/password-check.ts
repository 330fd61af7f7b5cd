import { DomainError } from '../lib/errors.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { LoginTurns } from './login-turns.ts';
import type { Passwords } from './passwords.ts';
import type { SecurityEvent, SecurityLog } from './security-log.ts';
import type { StoredCredentials, Users } from './users.ts';

export interface PasswordCheckParts {
  users: Users;
  passwords: Passwords;
  throttle: LoginThrottle;
  security: SecurityLog;
}

interface Guess {
  login: string;
  password: string;
  /** The client's IP address. */
  address: string;
}

/** Checks passwords: throttled, with the same work for unknown logins, and logged. */
export class PasswordCheck {
  readonly #parts: PasswordCheckParts;
  readonly #turns = new LoginTurns();

  constructor(parts: PasswordCheckParts) {
    this.#parts = parts;
  }

  /**
   * @param refusal the event to log for a wrong password
   * @throws `wrong_credentials`, `too_many_attempts`, `overloaded`
   */
  run(guess: Guess, refusal: SecurityEvent): Promise<StoredCredentials> {
    return this.#turns.run(guess.address, () => this.#check(guess, refusal));
  }

  async #check(
    { login, password, address }: Guess,
    refusal: SecurityEvent,
  ): Promise<StoredCredentials> {
    const { users, passwords, throttle, security } = this.#parts;
    const stored = await users.credentials(login);
    const user = stored?.user;
    // A user may have typed the password as the login, so only the login of a known user is logged.
    const facts = { user: user?.id ?? null, login: user?.login ?? null, address };
    const attempt = await throttle.take({ login, userId: user?.id, address }).catch((error) => {
      if (error instanceof DomainError) security.counted('login_throttled', error.code, facts);
      throw error;
    });
    let right: boolean;
    try {
      right = stored
        ? await passwords.verify(password, stored.passwordHash)
        : await passwords.verifyNobody(password);
    } catch (error) {
      await throttle.giveBack(attempt);
      throw error;
    }
    if (!stored || !right) {
      security.refused(refusal, 'wrong_credentials', facts);
      throw wrongCredentials();
    }
    await throttle.succeed(attempt, stored.user.id);
    return stored;
  }
}

/** The same error for an unknown login and for a wrong password. */
export function wrongCredentials(): DomainError {
  return new DomainError('wrong_credentials', 'the login or the password is wrong');
}
