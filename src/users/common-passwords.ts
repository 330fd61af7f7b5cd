import { commonPasswords } from './common-passwords-list.ts' with { type: 'macro' };

/** One text, a line each: as a set they would take 9 MiB of memory. */
const common = commonPasswords();

/**
 * Whether a password is among those that guessers try first, in any case: about 18,000 of the right length, from zxcvbn's
 * list of leaked passwords.
 */
export function isCommonPassword(password: string): boolean {
  return !password.includes('\n') && common.includes(`\n${password.toLowerCase()}\n`);
}
