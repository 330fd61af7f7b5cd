import { runStatements, type Migration } from './migration.ts';

/**
 * Logins are compared with "ss" for every sharp s: a capital one (ẞ) was compared as ß. A login that would become equal
 * to another keeps its old form, since nobody could say which user it belongs to.
 */
export const foldedSharpS: Migration = {
  number: 42,
  name: 'folded sharp s',
  up: (tx) =>
    runStatements(
      tx,
      `UPDATE users SET login_folded = replace(login_folded, 'ß', 'ss')
       WHERE login_folded LIKE '%ß%' AND NOT EXISTS (
         SELECT 1 FROM users AS other WHERE other.id <> users.id
           AND replace(other.login_folded, 'ß', 'ss') = replace(users.login_folded, 'ß', 'ss'))`,
    ),
};
