import type { SecurityLog } from '../users/index.ts';
import { toDomainError } from './errors.ts';
import type { UserCall } from './operation.ts';

/** Characters of a name from a body that a line of the log quotes. */
const NAME_CHARACTERS_MAX = 64;

interface AdminAction {
  security: SecurityLog;
  path: string;
  call: UserCall;
  /** As its schema parsed it. */
  body: unknown;
}

/** Logs who did what to whom and how it ended, once it has ended. @returns the result of the action */
export async function tellAdminAction<T>(
  action: Promise<T>,
  { security, path, call, body }: AdminAction,
): Promise<T> {
  const { caller, requestId, address } = call;
  const { credential } = caller;
  const tell = (outcome: string) =>
    security.done('admin_action', {
      path,
      outcome,
      by: caller.userId,
      by_login: caller.login,
      by_key: credential.kind === 'key' ? credential.keyId : undefined,
      login: nameIn(body, 'login'),
      key: nameIn(body, 'id'),
      address,
      request_id: requestId,
    });
  try {
    const result = await action;
    tell('ok');
    return result;
  } catch (error) {
    tell(toDomainError(error).code);
    throw error;
  }
}

/** Whom or what the action is about, where the body says so; its other fields may be secrets. */
function nameIn(body: unknown, field: 'login' | 'id'): string | undefined {
  const value = (body as Record<string, unknown>)[field];
  return typeof value === 'string' ? value.slice(0, NAME_CHARACTERS_MAX) : undefined;
}
