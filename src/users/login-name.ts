import { invalidField } from '../lib/errors.ts';

/** Characters (code points) of a login. */
export const LOGIN_CHARACTERS_MAX = 64;
/** UTF-16 units past which a text can't be a login in any spelling; longer ones are not even folded. */
const LOGIN_UNITS_MAX = 1024;

/**
 * Letters and marks of any script without the invisible ones (fillers, joiners), by which two logins
 * could differ and look the same.
 */
const loginPattern = /^[[[\p{L}\p{M}]--\p{Default_Ignorable_Code_Point}]0-9._@\-]+$/v;
/** A login needs one that is no mark: combining marks alone are hardly visible on a screen. */
const unmarked = /[^\p{M}]/u;
/** The logins of erased users. Nobody else may take one, or an erasure could find its login taken. */
const erasedPattern = /^erased-\d+$/;

/**
 * Checks a new login and brings it into the form that is stored (Unicode NFC).
 * @throws `invalid_request` naming `login`
 */
export function parseLogin(text: string): string {
  const login = text.length > LOGIN_UNITS_MAX ? text : text.normalize('NFC');
  const length = login.length > LOGIN_UNITS_MAX ? Infinity : Array.from(login).length;
  if (length === 0 || length > LOGIN_CHARACTERS_MAX || !loginPattern.test(login)) {
    throw invalidField(
      'login',
      `must be 1 to ${LOGIN_CHARACTERS_MAX} letters (of any script), digits, ".", "_", "-" or "@"`,
    );
  }
  if (!unmarked.test(login)) {
    throw invalidField('login', 'must have at least one letter, digit or sign besides marks');
  }
  if (erasedPattern.test(foldLogin(login))) {
    throw invalidField('login', '"erased-" with a number is kept for erased users; take another');
  }
  return login;
}

/**
 * The form in which logins are compared: the same for every case and every composition of accents.
 * Upper case first, since only it joins ß with ss and the two small sigmas.
 */
export function foldLogin(text: string): string {
  if (text.length > LOGIN_UNITS_MAX) return text;
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** The login of an erased user. */
export function erasedLogin(userId: number): string {
  return `erased-${userId}`;
}
