/**
 * scripts/compile.ts puts the result of this module into the executable, which does not load the package itself. A macro
 * would do the same, but not in a folder with an apostrophe in its path.
 */
import { dictionary } from '@zxcvbn-ts/language-common';

/** The length of the shortest allowed password. */
const LENGTH_MIN = 8;

/** The passwords, separated by line ends. */
export function commonPasswords(): string {
  // Shorter passwords are refused anyway.
  const passwords = dictionary['passwords-common'].filter((one) => one.length >= LENGTH_MIN);
  return `\n${passwords.join('\n')}\n`;
}
