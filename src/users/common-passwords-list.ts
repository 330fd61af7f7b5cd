/**
 * Runs when the executable is compiled, or when the file that imports this one is loaded: a server does not load the
 * package itself.
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
