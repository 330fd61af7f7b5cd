/** Runs when the product is compiled, or this file's importer is read: the package itself is not loaded by a server. */
import { dictionary } from '@zxcvbn-ts/language-common';

/** The length of the shortest allowed password. */
const LENGTH_MIN = 8;

/** The passwords, each between line ends. */
export function commonPasswords(): string {
  // Shorter ones are refused anyway.
  const passwords = dictionary['passwords-common'].filter((one) => one.length >= LENGTH_MIN);
  return `\n${passwords.join('\n')}\n`;
}
