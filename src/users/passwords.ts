import { DomainError, invalidField } from '../lib/errors.ts';
import { Semaphore } from '../lib/semaphore.ts';

/** Characters (code points) that a password has at least. */
export const PASSWORD_CHARACTERS_MIN = 8;
/** Bytes in UTF-8 that a password has at most: enough for any sentence, too few to burden the hash. */
export const PASSWORD_BYTES_MAX = 1_024;

/** OWASP's minimum for argon2id (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane. */
const MEMORY_COST_KIB = 19_456;
const TIME_COST_PASSES = 2;

/** A hash takes about 42 ms of a core and 19 MiB, so few run at once and few wait. */
const HASHES_AT_ONCE = 2;
/** Waiting hashes: about two seconds of work. */
const HASH_QUEUE_MAX = 100;
const RETRY_AFTER_S = 2;

const encoder = new TextEncoder();

/** Hashes and verifies passwords with argon2id, a bounded number at a time. */
export class Passwords {
  readonly #running: Semaphore;
  readonly #nobody = unusablePasswordHash();

  constructor(limits = { atOnce: HASHES_AT_ONCE, queueMax: HASH_QUEUE_MAX }) {
    this.#running = new Semaphore(limits.atOnce, limits.queueMax);
  }

  /**
   * Hashes a new password.
   * @param field what the password is called in the error
   * @returns the PHC string, with its parameters and salt
   * @throws `invalid_request` when it breaks the length rule, `overloaded` when too many wait
   */
  async hash(password: string, field = 'password'): Promise<string> {
    const problem = problemOf(password);
    if (problem) throw invalidField(field, problem);
    return this.#run(() =>
      Bun.password.hash(composed(password), {
        algorithm: 'argon2id',
        memoryCost: MEMORY_COST_KIB,
        timeCost: TIME_COST_PASSES,
      }),
    );
  }

  /**
   * True when `password` is the one that was hashed.
   * @throws `overloaded` when too many wait
   */
  async verify(password: string, hash: string): Promise<boolean> {
    // Nobody's password breaks the rule. Known and unknown logins skip the work alike.
    if (problemOf(password)) return false;
    return this.#run(() => Bun.password.verify(composed(password), hash));
  }

  /** Always false, after the same work as `verify`: an unknown login can't be told by the time it takes. */
  async verifyNobody(password: string): Promise<false> {
    await this.verify(password, this.#nobody);
    return false;
  }

  #run<T>(task: () => Promise<T>): Promise<T> {
    return this.#running.run(
      task,
      () =>
        new DomainError('overloaded', `too many logins at once; try again in ${RETRY_AFTER_S} s`, {
          retryAfterSeconds: RETRY_AFTER_S,
        }),
    );
  }
}

/** A hash that no password has: its digest is random, while verifying against it takes the usual work. */
export function unusablePasswordHash(): string {
  return `$argon2id$v=19$m=${MEMORY_COST_KIB},t=${TIME_COST_PASSES},p=1$${randomPart()}$${randomPart()}`;
}

/** 32 bytes, the length of salt and digest, as the PHC format writes them. */
function randomPart(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({ omitPadding: true });
}

/** Keyboards compose accents in different ways; RFC 8265 (OpaqueString) has passwords compared in NFC. */
function composed(password: string): string {
  return password.normalize('NFC');
}

function problemOf(password: string): string | undefined {
  // UTF-8 has at least as many bytes as UTF-16 has units: no need to encode what is far too long.
  const tooLong = `must have at most ${PASSWORD_BYTES_MAX} bytes in UTF-8`;
  if (password.length > PASSWORD_BYTES_MAX) return tooLong;
  // A lone surrogate would be hashed as U+FFFD, and so equal any other one.
  if (!password.isWellFormed()) return 'must be well-formed Unicode';
  const text = composed(password);
  if (encoder.encode(text).length > PASSWORD_BYTES_MAX) return tooLong;
  if (Array.from(text).length < PASSWORD_CHARACTERS_MIN) {
    return `must have at least ${PASSWORD_CHARACTERS_MIN} characters`;
  }
  return undefined;
}
