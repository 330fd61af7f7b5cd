/**
 * Who made an entry, when it was a user: `#` and the id. Entries are never changed, and an erased user's
 * login must not stay in those of others; so it is looked up when they are read. No login begins with `#`:
 * other texts (`cli`, the logins in older entries) stand for themselves.
 */
export function madeByUser(userId: number): string {
  return `#${userId}`;
}

/** Of ledger entries `e`: joins whoever made them as `maker`, where that is told by an id. */
export const joinMaker = `LEFT JOIN users maker ON maker.id =
  CASE WHEN e.made_by LIKE '#%' THEN CAST(SUBSTR(e.made_by, 2) AS BIGINT) END`;

/** The login of now, or what was written. */
export const makerName = 'COALESCE(maker.login, e.made_by)';
