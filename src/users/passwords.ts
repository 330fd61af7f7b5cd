import { DomainError, invalidField } from '../lib/errors.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { isCommonPassword } from './common-passwords.ts';

/** The fewest characters (code points) of a password. */
export const PASSWORD_CHARACTERS_MIN = 8;
/** The most bytes of a password in UTF-8: enough for a sentence, few enough to hash. */
export const PASSWORD_BYTES_MAX = 1_024;

/** The work of a hash, which makes guessing slow. */
export interface HashCost {
  memoryKib: number;
  passes: number;
}

/** OWASP's minimum for argon2id (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane. */
const HASH_COST: HashCost = { memoryKib: 19_456, passes: 2 };

/** A hash takes about 42 ms of a core and 19 MiB, so few run concurrently, and few wait. */
const CONCURRENT_HASHES_MAX = 2;
/** The most waiting hashes of one lane: about two seconds of work. */
const HASH_QUEUE_MAX = 100;
const RETRY_AFTER_S = 2;

/**
 * The queue in which a password waits for its hash: one for users at addresses where they have logged in before, one
 * for everyone else. The lanes take turns, so that a flood of strangers does not keep known users out.
 */
export type HashLane = 'known' | 'new';

interface PasswordOptions {
  atOnce?: number;
  queueMax?: number;
  cost?: HashCost | undefined;
}

const encoder = new TextEncoder();

/** Hashes and verifies passwords with argon2id, a limited number at a time. */
export class Passwords {
  readonly #running: Semaphore;
  readonly #cost: HashCost;
  readonly #nobody: string;

  /** @param options only for tests */
  constructor({
    atOnce = CONCURRENT_HASHES_MAX,
    queueMax = HASH_QUEUE_MAX,
    cost = HASH_COST,
  }: PasswordOptions = {}) {
    this.#running = new Semaphore(atOnce, queueMax);
    this.#cost = cost;
    this.#nobody = unusablePasswordHash(cost);
  }

  /**
   * Hashes a new password.
   * @param field of the password, for errors
   * @returns the PHC string, with its parameters and salt
   * @param lane `new` if a stranger sets it
   * @throws `invalid_request` if it is too short, too long or too common, `overloaded` if too many wait
   */
  async hash(password: string, field = 'password', lane: HashLane = 'known'): Promise<string> {
    checkPassword(password, field);
    const hash = () =>
      Bun.password.hash(composed(password), {
        algorithm: 'argon2id',
        memoryCost: this.#cost.memoryKib,
        timeCost: this.#cost.passes,
      });
    return this.#run(hash, lane);
  }

  /**
   * True if `password` is the one that was hashed.
   * @param hash undefined for an unknown login: false after the same work, so that the time does not reveal it
   * @throws `overloaded` if too many wait
   */
  async verify(password: string, hash = this.#nobody, lane: HashLane = 'new'): Promise<boolean> {
    // No stored password violates the rule.
    if (problemOf(password)) return false;
    return this.#run(() => Bun.password.verify(composed(password), hash), lane);
  }

  #run<T>(task: () => Promise<T>, lane: HashLane): Promise<T> {
    return this.#running.run(
      task,
      () =>
        new DomainError('overloaded', `too many logins at once; try again in ${RETRY_AFTER_S} s`, {
          retryAfterSeconds: RETRY_AFTER_S,
        }),
      lane,
    );
  }
}

/** A hash that matches no password: its digest is random. Verifying against it takes the usual work. */
export function unusablePasswordHash({ memoryKib, passes } = HASH_COST): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${randomPart()}$${randomPart()}`;
}

/** 32 random bytes, the length of salt and digest, in the PHC format. */
function randomPart(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ omitPadding: true });
}

/** Keyboards compose accents in different ways; RFC 8265 (OpaqueString) compares passwords in NFC. */
function composed(password: string): string {
  return password.normalize('NFC');
}

/**
 * Checks a new password.
 * @param field of the password, for errors
 * @throws `invalid_request` if it is too short, too long or too common
 */
export function checkPassword(password: string, field = 'password'): void {
  const problem = problemOf(password);
  if (problem) throw invalidField(field, problem);
  if (isCommonPassword(composed(password))) {
    throw invalidField(field, 'is one of the most common passwords: choose another');
  }
}

function problemOf(password: string): string | undefined {
  // A text has at least as many bytes in UTF-8 as it has UTF-16 units, so a text that is far too long need not be
  // encoded.
  const tooLong = `must have at most ${PASSWORD_BYTES_MAX} bytes in UTF-8`;
  if (password.length > PASSWORD_BYTES_MAX) return tooLong;
  // A lone surrogate would be hashed as U+FFFD, and so be equal to any other.
  if (!password.isWellFormed()) return 'must be well-formed Unicode';
  const text = composed(password);
  if (encoder.encode(text).length > PASSWORD_BYTES_MAX) return tooLong;
  if (Array.from(text).length < PASSWORD_CHARACTERS_MIN) {
    return `must have at least ${PASSWORD_CHARACTERS_MIN} characters`;
  }
  return undefined;
}
