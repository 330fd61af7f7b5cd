/**
 * The text in an entry for a user who made it: `#` and the id. The login is looked up when entries are read: entries never
 * change, and the login of an erased user must not stay in entries of others. No login begins with `#`, so other texts
 * (`cli`, the logins in old entries) are shown unchanged.
 */
export function madeByUser(userId: number): string {
  return `#${userId}`;
}

/** Joins the user who made a ledger entry `e` as `maker`. */
export const joinMaker = `LEFT JOIN users maker ON maker.id =
  CASE WHEN e.made_by LIKE '#%' THEN CAST(SUBSTR(e.made_by, 2) AS BIGINT) END`;

/** The current login, or the text in the entry. */
export const makerName = 'COALESCE(maker.login, e.made_by)';
