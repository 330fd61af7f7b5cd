import { invalidField } from '../lib/errors.ts';

/** The most characters (code points) of a login. */
export const LOGIN_CHARACTERS_MAX = 64;
/** A text with more UTF-16 units can't be a login in any form, and is not folded. */
const LOGIN_UNITS_MAX = 1024;

/** Letters and marks of any script, without invisible ones (fillers, joiners): with these, two logins could look the same. */
const loginPattern = /^[[[\p{L}\p{M}]--\p{Default_Ignorable_Code_Point}]0-9._@\-]+$/v;
/** A login needs a character that is not a mark: combining marks alone are hardly visible. */
const unmarked = /[^\p{M}]/u;
/** The logins of erased users. No other user may take one, since an erasure needs it. */
const erasedPattern = /^erased-\d+$/;

/** Checks a new login, and returns the form that is stored (Unicode NFC). @throws `invalid_request` naming `login` */
export function parseLogin(text: string): string {
  const login = text.length > LOGIN_UNITS_MAX ? text : text.normalize('NFC');
  const problem = problemOf(login);
  if (problem !== undefined) throw invalidField('login', problem);
  return login;
}

function problemOf(login: string): string | undefined {
  const length = login.length > LOGIN_UNITS_MAX ? Infinity : Array.from(login).length;
  if (length === 0 || length > LOGIN_CHARACTERS_MAX || !loginPattern.test(login)) {
    return `must be 1 to ${LOGIN_CHARACTERS_MAX} letters (of any script), digits, ".", "_", "-" or "@"`;
  }
  if (!unmarked.test(login)) {
    return 'must have at least one letter, digit or sign besides combining marks';
  }
  return erasedPattern.test(foldLogin(login))
    ? '"erased-" with a number is reserved for erased users; choose another'
    : undefined;
}

/**
 * The form in which logins are compared: equal for every case and every composition of accents. The step through upper
 * case makes ß equal to ss, and the two small sigmas equal. It leaves ẞ unchanged, so lower case comes first and turns
 * ẞ into ß.
 */
export function foldLogin(text: string): string {
  if (text.length > LOGIN_UNITS_MAX) return text;
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

export function erasedLogin(userId: number): string {
  return `erased-${userId}`;
}
