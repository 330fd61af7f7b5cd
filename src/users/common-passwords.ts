/** Of the shortest password that is allowed. */
const LENGTH_MIN = 8;

let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether a password is among those that guessers try first, in any case: about 18,000 of the right length, from zxcvbn's
 * list of leaked passwords. The list is loaded when it is first needed.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= load();
  return (await common).has(password.toLowerCase());
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const passwords = dictionary['passwords-common'];
  // Shorter ones are refused anyway.
  return new Set(passwords.filter((one) => one.length >= LENGTH_MIN));
}
