import type { SecurityLog } from '../users/index.ts';
import { toDomainError } from './errors.ts';
import type { UserCall } from './operation.ts';

/** A log line quotes a name from a body up to this length. */
const NAME_CHARACTERS_MAX = 64;

interface AdminAction {
  security: SecurityLog;
  path: string;
  call: UserCall;
  /** As parsed by its schema. */
  body: unknown;
}

/** Logs who did what to whom and with which outcome, when the action has ended. @returns its result */
export async function logAdminAction<T>(
  action: Promise<T>,
  { security, path, call, body }: AdminAction,
): Promise<T> {
  const { caller, facts } = call;
  const { credential } = caller;
  const log = (outcome: string) =>
    security.done('admin_action', {
      path,
      outcome,
      by: caller.userId,
      by_login: caller.login,
      by_key: credential.kind === 'key' ? credential.keyId : undefined,
      login: nameIn(body, 'login'),
      key: nameIn(body, 'id'),
      address: facts.address,
      request_id: facts.requestId,
    });
  try {
    const result = await action;
    log('ok');
    return result;
  } catch (error) {
    log(toDomainError(error).code);
    throw error;
  }
}

/** The user or key that the action is about, if the body names it. Other fields may be secrets. */
function nameIn(body: unknown, field: 'login' | 'id'): string | undefined {
  const value = (body as Record<string, unknown>)[field];
  return typeof value === 'string' ? value.slice(0, NAME_CHARACTERS_MAX) : undefined;
}
