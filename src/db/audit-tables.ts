import type { Columns } from './table.ts';

/**
 * Administrative acts. There is no login: `by_user` and `user_id` are ids, so that the login of an erased user does not
 * remain. `details` is JSON: see audit/details.ts.
 */
export const auditTables = {
  audit_entries: {
    number: 'BIGINT',
    at: 'BIGINT',
    action: 'TEXT',
    origin: 'TEXT',
    by_user: 'BIGINT NULL',
    by_key: 'TEXT NULL',
    address: 'TEXT NULL',
    os_user: 'TEXT NULL',
    request_id: 'TEXT NULL',
    user_id: 'BIGINT NULL',
    subject: 'TEXT NULL',
    details: 'TEXT',
  },
} as const satisfies Record<string, Columns>;
