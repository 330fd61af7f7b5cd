import type { OperationParts } from '../operation-parts.ts';
import type { Operation } from '../operation.ts';
import { pageSessionOperations } from './page-session.ts';
import { registerOperations } from './register.ts';
import { loginOperation, sessionOperations } from './sessions.ts';

/** The operations that begin a session. */
export function beginningGroup(parts: OperationParts): Operation[] {
  return [loginOperation(parts), ...registerOperations(parts)];
}

/** The operations of a session, which can end it. */
export function sessionGroup(parts: OperationParts): Operation[] {
  return [...pageSessionOperations(parts), ...sessionOperations(parts)];
}
