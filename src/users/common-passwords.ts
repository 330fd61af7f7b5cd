import { commonPasswords } from './common-passwords-list.ts';

/** One text with a line for each password: as a set they would take 9 MiB of memory. */
const common = commonPasswords();

/**
 * Whether a password is one of those that guessers try first, regardless of case: about 18,000 of sufficient length,
 * from zxcvbn's list of leaked passwords.
 */
export function isCommonPassword(password: string): boolean {
  return !password.includes('\n') && common.includes(`\n${password.toLowerCase()}\n`);
}
