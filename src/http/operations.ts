import type { Hono } from 'hono';
import { DomainError } from '../lib/errors.ts';
import type { Authenticator, Caller, SecurityLog, Users } from '../users/index.ts';
import type { Log } from '../lib/log.ts';
import { tellAdminAction } from './admin-log.ts';
import { failed, success } from './errors.ts';
import { parseBody, type Call, type Operation, type UserCall } from './operation.ts';
import type { ReadLimits } from './read-limits.ts';
import { readJsonObject } from './request-body.ts';
import type { RequestFacts } from './request-facts.ts';

export interface OperationGate {
  authenticator: Authenticator;
  users: Users;
  security: SecurityLog;
  reads: ReadLimits;
  log: Log;
}

/**
 * The way of an operation that is called as it is written: POST, with its exact path. All other requests
 * get undefined, and go through the routes, which cost more than the rest of the HTTP layer together.
 */
export function directOperations(
  operations: readonly Operation[],
  gate: OperationGate,
): (request: Request, facts: RequestFacts) => Promise<Response> | undefined {
  const byPath = new Map(operations.map((operation) => [operation.path as string, operation]));
  return (request, facts) => {
    if (request.method !== 'POST') return undefined;
    const { url } = request;
    // After `http://`; a path with a query is left to the routes.
    const operation = byPath.get(url.slice(url.indexOf('/', ORIGIN_AT)));
    return operation && runOrFail(operation, gate, request, facts);
  };
}

const ORIGIN_AT = 'https://'.length;

async function runOrFail(
  operation: Operation,
  gate: OperationGate,
  request: Request,
  facts: RequestFacts,
): Promise<Response> {
  try {
    return await run(operation, gate, request, facts);
  } catch (error) {
    return failed(error, facts.requestId, gate.log);
  }
}

/** Mounts operations: POST only, with or without the trailing slash. */
export function mountOperations(
  app: Hono<{ Bindings: RequestFacts }>,
  operations: readonly Operation[],
  gate: OperationGate,
): void {
  for (const operation of operations) {
    for (const path of [operation.path, operation.path.slice(0, -1)]) {
      app.post(path, (c) => run(operation, gate, c.req.raw, c.env));
      app.all(path, () => {
        throw new DomainError('method_not_allowed', `${operation.path} takes POST only`);
      });
    }
  }
}

async function run(
  operation: Operation,
  gate: OperationGate,
  request: Request,
  facts: RequestFacts,
): Promise<Response> {
  const answer = await answerOf(operation, gate, request, facts);
  return answer.result instanceof Response
    ? answer.result
    : success(answer.result, answer.call.headers);
}

/** The caller is asked for before the body is read: a stranger gets to send us nothing. */
async function answerOf(
  operation: Operation,
  gate: OperationGate,
  request: Request,
  facts: RequestFacts,
): Promise<{ result: unknown; call: Call }> {
  if (operation.access === 'public') {
    const { body, call } = await readCall(operation, request, facts);
    return { result: await operation.handle(body as never, call), call };
  }
  const right = operation.right ?? (operation.access === 'admin' ? 'admin' : 'account');
  const caller = await gate.authenticator.authenticate(credentialOf(request), right);
  if (operation.access === 'admin') await requireAdmin(operation, gate, caller, facts);
  if (operation.callsPerMinute !== undefined) {
    gate.reads.take(caller.userId, operation.path, operation.callsPerMinute);
  }
  const { body, call } = await readCall(operation, request, facts);
  const userCall: UserCall = Object.assign(call, { caller });
  const answering = operation.handle(body as never, userCall);
  const logged = operation.access === 'admin' && operation.unlogged !== true;
  const result = await (logged
    ? tellAdminAction(answering, {
        security: gate.security,
        path: operation.path,
        call: userCall,
        body,
      })
    : answering);
  return { result, call };
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

async function readCall(
  operation: Operation,
  request: Request,
  facts: RequestFacts,
): Promise<{ body: unknown; call: Call }> {
  const { value, bytes } = await readJsonObject(request, operation.bodyMaxBytes);
  if (operation.slow) facts.disableIdleTimeout();
  const call: Call = {
    request,
    requestId: facts.requestId,
    get address() {
      return facts.address;
    },
    bytes,
    headers: {},
  };
  return { body: parseBody(operation.body, value), call };
}

/** The one place that reads a credential: the bearer token or API key of the Authorization header. */
export function credentialOf(request: Request): string | undefined {
  const header = request.headers.get('authorization');
  if (header === null) return undefined;
  return /^bearer +(\S+)$/i.exec(header.trim())?.[1] ?? '';
}
