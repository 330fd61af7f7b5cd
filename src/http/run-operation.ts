import { DomainError } from '../lib/errors.ts';
import type { Authenticator, Caller, SecurityLog, Users } from '../users/index.ts';
import { logAdminAction } from './admin-log.ts';
import { credentialOf, type HttpApp, type RequestFacts } from './request-facts.ts';
import { methodNotAllowed, jsonHeaders } from './errors.ts';
import { parseBody, type Call, type Operation, type UserCall } from './operation.ts';
import type { ReadLimits } from './read-limits.ts';
import { readJsonObject } from './request-body.ts';

export interface OperationGate {
  authenticator: Authenticator;
  users: Users;
  security: SecurityLog;
  reads: ReadLimits;
}

/** Mounts operations: POST only, with or without the trailing slash. */
export function mountOperations(
  app: HttpApp,
  operations: readonly Operation[],
  gate: OperationGate,
): void {
  for (const operation of operations) {
    for (const path of [operation.path, operation.path.slice(0, -1)]) {
      app.all(path, (c) => {
        if (c.req.method !== 'POST') throw methodNotAllowed(operation.path, 'POST');
        return run(operation, gate, c.req.raw, c.env);
      });
    }
  }
}

/**
 * Checks the credential before it reads the body, so that strangers can't upload. Checks it again after that, since a
 * slow upload leaves time for a revocation.
 */
async function run(
  operation: Operation,
  gate: OperationGate,
  request: Request,
  facts: RequestFacts,
): Promise<Response> {
  if (operation.access === 'public') {
    const { value, bytes } = await readJsonObject(request, operation.bodyMaxBytes);
    const call: Call = { request, facts, bytes, headers: {} };
    const body = begin(operation, value, facts);
    return answerWith(await operation.handle(body as never, call), call);
  }
  const { authenticator } = gate;
  const right = operation.right ?? (operation.access === 'admin' ? 'admin' : 'account');
  const credential = credentialOf(request);
  const caller =
    authenticator.remembered(credential, right) ??
    (await authenticator.authenticate(credential, right));
  if (operation.access === 'admin') await requireAdmin(operation, gate, caller, facts);
  if (operation.callsPerMinute !== undefined) {
    gate.reads.take(caller.userId, operation.path, operation.callsPerMinute);
  }
  const { value, bytes } = await readJsonObject(request, operation.bodyMaxBytes);
  if (!authenticator.isStillGood(caller)) await authenticator.authenticate(credential, right);
  const call: UserCall = { request, facts, bytes, headers: {}, caller };
  const body = begin(operation, value, facts);
  const answering = operation.handle(body as never, call);
  const logged = operation.access === 'admin' && operation.unlogged !== true;
  const { security } = gate;
  const action = { security, path: operation.path, call, body };
  return answerWith(await (logged ? logAdminAction(answering, action) : answering), call);
}

/** @returns the parsed body */
function begin(operation: Operation, value: unknown, facts: RequestFacts): unknown {
  if (operation.slow) facts.disableIdleTimeout();
  return parseBody(operation.body, value);
}

/** `{"status":"ok","data":…}` with status 200. */
function success(data: unknown, headers: Record<string, string> = {}): Response {
  return new Response(`{"status":"ok","data":${JSON.stringify(data)}}`, {
    headers: { ...jsonHeaders, ...headers },
  });
}

function answerWith(result: unknown, { headers }: Call): Response {
  return result instanceof Response ? result : success(result, headers);
}

async function requireAdmin(
  { path }: Operation,
  { users, security }: OperationGate,
  { userId, login }: Caller,
  { requestId, address }: RequestFacts,
): Promise<void> {
  if (await users.isAdmin(userId)) return;
  const facts = { user: userId, login, path, address, request_id: requestId };
  security.counted('access_refused', 'admins_only', facts);
  throw new DomainError('forbidden', 'this operation is for admins only');
}
