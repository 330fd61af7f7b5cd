export { Act, type ActFacts, type Actor } from './act.ts';
export { auditActions, type AuditAction } from './actions.ts';
export {
  AuditLog,
  auditOrigins,
  type AuditQuery,
  type AuditEntry,
  type AuditOrigin,
} from './audit-log.ts';
