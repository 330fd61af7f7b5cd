import type { Ledger, Limits } from '../ledger/index.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import {
  checkPassword,
  parseLogin,
  type AttemptThrottle,
  type Attempted,
  type SecurityLog,
  type User,
  type Users,
} from '../users/index.ts';
import type { Invitation, Invitations } from './invitations.ts';

/** Who may register: nobody, people with an invitation, or everybody. */
export const registrationModes = ['off', 'invitation', 'open'] as const;
export type RegistrationMode = (typeof registrationModes)[number];

/**
 * One address: 20 attempts, then one a minute; wider networks of IPv6 have more. Registering with an invitation counts
 * only if it fails, since the invitation limits its own uses.
 */
const REGISTERING: Attempted = {
  name: 'register',
  what: 'to register',
  networks: [
    { attempts: 20, refillMs: 60_000 },
    { attempts: 40, refillMs: 30_000 },
    { attempts: 80, refillMs: 15_000 },
  ],
};

export interface RegistrationParts {
  mode: RegistrationMode;
  users: Users;
  ledger: Ledger;
  limits: Limits;
  invitations: Invitations;
  attempts: AttemptThrottle;
  security: SecurityLog;
}

export interface NewcomerInput {
  login: string;
  password: string;
  /** The code of an invitation. */
  code?: string | undefined;
}

export class Registration {
  readonly #parts: RegistrationParts;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  get mode(): RegistrationMode {
    return this.#parts.mode;
  }

  /**
   * Makes a user with an account. With an invitation, its credit, its limits and its count are in the same transaction.
   * Where an invitation is required, a caller without a valid one does not learn which logins exist; with one, the
   * answer says that a login is taken.
   * @throws `forbidden` if registration is off; `invalid_request` naming `login`, `password` or `code`; `not_found` for
   * an unknown code, `invitation_ended`, `too_many_attempts`, `overloaded`
   */
  async register(input: NewcomerInput, address: string): Promise<User> {
    const { mode, users, ledger, limits, invitations, security } = this.#parts;
    if (mode === 'off') throw closed();
    const { login, password, code = '' } = input;
    if (code === '' && mode === 'invitation') {
      throw invalidField('code', 'is required: registration is by invitation');
    }
    parseLogin(login);
    checkPassword(password);
    return this.#attempt(address, code !== '', async () => {
      const invitation = code === '' ? undefined : await invitations.open(code);
      const madeBy = invitation ? `invitation ${invitation.id}` : 'registration';
      const newcomer = { login, password, hashLane: 'new' } as const;
      const user = await users.add(newcomer, async (tx, userId) => {
        if (invitation) await invitations.useIn(tx, invitation.id, userId);
        await ledger.openAccount(tx, userId, invitation?.credit ?? 0, madeBy);
        if (invitation) await limits.setIn(tx, userId, invitation.limits);
      });
      security.done('user_registered', { user: user.id, login: user.login, address, by: madeBy });
      return user;
    });
  }

  /** What an invitation gives, to be shown before the registration. @throws as `register` */
  async preview(code: string, address: string): Promise<Invitation> {
    if (this.mode === 'off') throw closed();
    return this.#attempt(address, true, () => this.#parts.invitations.open(code));
  }

  /** @param isInvited false: each attempt counts, even a successful one */
  async #attempt<T>(address: string, isInvited: boolean, work: () => Promise<T>): Promise<T> {
    const { attempts, security } = this.#parts;
    const counts = (error?: unknown) =>
      error === undefined
        ? !isInvited
        : error instanceof DomainError && /^(not_found|invalid_request)$/.test(error.code);
    try {
      return await attempts.run(REGISTERING, { address }, work, counts);
    } catch (error) {
      if (error instanceof DomainError) security.counted('code_refused', error.code, { address });
      throw error;
    }
  }
}

function closed(): DomainError {
  return new DomainError('forbidden', 'registration is off: ask the operator for a login');
}
