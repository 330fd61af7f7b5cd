import type { AuditLog } from '../audit/index.ts';
import {
  actingRole,
  type Authenticator,
  type Caller,
  includes,
  type Role,
  type SecurityLog,
  type Users,
} from '../users/index.ts';
import { jsonHeaders, methodNotAllowed, toDomainError } from './errors.ts';
import {
  type ActCall,
  type Call,
  type Operation,
  type OperatorCall,
  rightFor,
  type UserCall,
} from './operation.ts';
import { parseBody } from './body/check.ts';
import { DomainError } from '../lib/errors.ts';
import { credentialOf, type HttpApp, noteCaller, type RequestFacts } from './request-facts.ts';
import { errorInLanguage } from './languages.ts';
import { pageToken, renewedCookie } from './web/session.ts';
import type { Networks } from './client-address.ts';
import type { ReadLimits } from './read-limits.ts';
import { type BodyReader, PUBLIC_BODY_MAX_BYTES } from './body/read.ts';

export interface OperationGate {
  audit: AuditLog;
  authenticator: Authenticator;
  users: Users;
  security: SecurityLog;
  reads: ReadLimits;
  bodies: BodyReader;
  /** True if the public URL is https. */
  secureCookies: boolean;
  /** The addresses of clients that may use admin operations; undefined: all. */
  adminNetworks: Networks | undefined;
}

/** Mounts operations: they accept only POST, with or without the trailing slash. */
export function mountOperations(
  app: HttpApp,
  operations: readonly Operation[],
  gate: OperationGate,
): void {
  for (const operation of operations) {
    for (const path of [operation.path, operation.path.slice(0, -1)]) {
      app.all(path, (c) => {
        if (c.req.method !== 'POST') throw methodNotAllowed(operation.path, 'POST');
        const answer = run(operation, gate, c.req.raw, c.env);
        const { inRussian } = operation;
        if (!inRussian) return answer;
        return answer.catch((error: unknown) => {
          throw errorInLanguage(error, c.req.raw, inRussian);
        });
      });
    }
  }
}

/**
 * Checks the credential before it reads the body, so that strangers can't upload. Checks it again afterwards, since a
 * slow upload leaves time for a revocation.
 */
async function run(
  operation: Operation,
  gate: OperationGate,
  request: Request,
  facts: RequestFacts,
): Promise<Response> {
  if (operation.access === 'public') {
    const maxBytes = operation.bodyMaxBytes ?? PUBLIC_BODY_MAX_BYTES;
    const { value, digest } = await gate.bodies.read(request, facts, { maxBytes });
    const call: Call = { request, facts, digest, headers: {} };
    const body = begin(operation, value, facts);
    return answerWith(await operation.handle(body as never, call), call);
  }
  const needed = operation.access === 'user' ? undefined : operation.access;
  if (needed) requireAdminNetwork(operation, gate, facts);
  const { authenticator } = gate;
  const right = rightFor(operation) ?? 'account';
  const credential = credentialOf(request);
  const token = credential === undefined ? pageToken(request, gate.secureCookies) : undefined;
  const authenticate = () =>
    token === undefined
      ? authenticator.authenticate(credential, right)
      : authenticator.authenticateCookie(token, 'page', right);
  // Only sends are traced.
  const spans = operation.streams ? facts.spans : undefined;
  spans?.enter('authenticate');
  const caller = authenticator.remembered(credential, right) ?? (await authenticate());
  spans?.leave();
  noteCaller(facts, caller);
  const role = needed && (await requireRole(operation, needed, gate, caller, facts));
  if (operation.callsPerMinute !== undefined) {
    gate.reads.take(caller.userId, operation.path, operation.callsPerMinute);
  }
  const { value, digest } = await gate.bodies.read(request, facts, {
    maxBytes: operation.bodyMaxBytes,
    userId: caller.userId,
  });
  if (!authenticator.isStillValid(caller)) await authenticate();
  // Only operations of operators use the role: it is not looked up for others.
  const call: OperatorCall = { request, facts, digest, headers: {}, caller, role: role ?? 'user' };
  if (token !== undefined) {
    const cookie = await renewedCookie(gate, caller);
    if (cookie !== undefined) call.headers['set-cookie'] = cookie;
  }
  const body = begin(operation, value, facts);
  if (operation.access === 'user') {
    return answerWith(await operation.handle(body as never, call), call);
  }
  const answering = operation.handle(body as never, actCall(operation, gate.audit, call));
  if (operation.unlogged) return answerWith(await answering, call);
  const logged = logAdminAction(answering, gate.security, operation.path, call, body);
  return answerWith(await logged, call);
}

/** The call with its act. An unlogged operation has no act. */
function actCall({ act }: Operation, audit: AuditLog, call: OperatorCall): ActCall {
  const { facts, caller } = call;
  const { credential, userId } = caller;
  if (act === undefined) return call as ActCall;
  const keyId = credential.kind === 'key' ? credential.keyId : undefined;
  const { address, requestId } = facts;
  // The same object, since the handler adds headers to it.
  return Object.assign(call, {
    act: audit.act(act, { origin: 'http', userId, keyId, address, requestId }),
  });
}

function begin(operation: Operation, value: unknown, facts: RequestFacts): unknown {
  if (operation.slow) facts.disableIdleTimeout();
  return parseBody(operation.body, value);
}

/** The response copies these headers, which is faster than copying from an object. */
const answerHeaders = new Headers(jsonHeaders);

function answerWith(result: unknown, { headers }: Call): Response {
  if (result instanceof Response) return result;
  const response = new Response(`{"status":"ok","data":${JSON.stringify(result)}}`, {
    headers: answerHeaders,
  });
  for (const name in headers) response.headers.set(name, headers[name] ?? '');
  return response;
}

function requireAdminNetwork(
  { path }: Operation,
  { adminNetworks, security }: OperationGate,
  { requestId, address, isAddressCertain }: RequestFacts,
): void {
  if (!adminNetworks || (isAddressCertain && adminNetworks.has(address))) return;
  security.counted('access_refused', 'network', { path, address, request_id: requestId });
  throw new DomainError(
    'forbidden',
    'admin operations are not open to your address (ZASTAVA_ADMIN_NETWORKS)',
  );
}

/** @returns the role in which the caller acts */
async function requireRole(
  { path }: Operation,
  needed: Role,
  { users, security }: OperationGate,
  caller: Caller,
  { requestId, address }: RequestFacts,
): Promise<Role> {
  const { userId, login } = caller;
  const role = actingRole(caller, await users.role(userId));
  if (includes(role, needed)) return role;
  const facts = { user: userId, login, path, address, request_id: requestId };
  security.counted('access_refused', 'admins_only', facts);
  const whom = needed === 'admin' ? 'admins' : 'operators and admins';
  throw new DomainError('forbidden', `this operation is for ${whom} only`);
}

/** A log line quotes a name from a body up to this many characters. */
const NAME_CHARACTERS_MAX = 64;

/** Logs who did what to whom with which outcome, when the action has ended. @returns its result */
async function logAdminAction<T>(
  action: Promise<T>,
  security: SecurityLog,
  path: string,
  { caller, facts }: UserCall,
  body: unknown,
): Promise<T> {
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
