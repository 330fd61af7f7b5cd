/**
 * The kinds of administrative act. The names are part of the API: the page translates them, and operators filter by
 * them.
 */
export const auditActions = [
  'user_added',
  'user_credited',
  'user_refunded',
  'messages_refunded',
  'user_credit_limit_set',
  'user_limits_set',
  'user_role_set',
  'user_password_set',
  'user_second_factor_reset',
  'user_blocked',
  'user_unblocked',
  'user_exported',
  'user_erased',
  'key_created',
  'key_changed',
  'key_rotated',
  'key_revoked',
  'invitation_created',
  'invitation_revoked',
  'vouchers_created',
  'vouchers_revoked',
  'catalogue_applied',
  'catalogue_imported',
  'price_set',
  'seeds_added',
  'seeds_removed',
  'trust_job_started',
  'trust_job_stopped',
  'graph_imported',
  'graph_ranked',
  'sites_crawled',
  'releases_chosen',
  'release_removed',
  'secret_changed',
] as const;

export type AuditAction = (typeof auditActions)[number];
