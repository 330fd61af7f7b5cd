import { scopesWith, type Right } from '../../users/index.ts';

/**
 * Who may use an operation. Tools read scopes inside `security` as OAuth scopes, so API key scopes have a separate
 * field.
 */
export function securityFor(right: Right) {
  return { security: [{ bearer: [] }], 'x-scopes': scopesWith(right) };
}
