import { scopesWith, type Right } from '../../users/index.ts';

/** Who may use an operation. Tools take scopes inside `security` for those of OAuth, so they have a field of their own. */
export function securityFor(right: Right) {
  return { security: [{ bearer: [] }], 'x-scopes': scopesWith(right) };
}
