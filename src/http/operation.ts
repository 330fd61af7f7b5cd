import type { z } from 'zod';
import type { Act, AuditAction } from '../audit/index.ts';
import type { ErrorCode } from '../lib/errors.ts';
import type { Translate } from '../lib/sentences.ts';
import type { Caller, Right, Role } from '../users/index.ts';
import type { RequestFacts } from './request-facts.ts';

/** What an operation knows about its request, in addition to the body. */
export interface Call {
  request: Request;
  facts: RequestFacts;
  /** SHA-256 of the body as it was sent, for idempotency. */
  digest: () => string;
  /** Extra headers of a successful answer. */
  headers: Record<string, string>;
}

export interface UserCall extends Call {
  caller: Caller;
}

export interface OperatorCall extends UserCall {
  /** The role in which the caller acts: `operator` also for an admin with a key of that scope. */
  role: Role;
}

/** A call of an operator's operation that changes something: the method that makes the change records the act. */
export interface ActCall extends OperatorCall {
  act: Act;
}

/** Groups of operations, and their titles in the reference. */
export const groups = {
  auth: 'Auth',
  ai: 'AI',
  trust: 'Trust',
  account: 'Account',
  admin: 'Admin',
} as const;

type Group = keyof typeof groups;

interface OperationDescription<Body extends z.ZodType, Result extends z.ZodType> {
  /** With the trailing slash; the same path without it works too. The first part is the group in the reference. */
  path: `/${Group}/${string}`;
  summary: string;
  description?: string;
  body: Body;
  result: Result;
  /** Error codes in addition to those that every operation can answer. */
  errors?: readonly ErrorCode[];
  /** True if a request with an Idempotency-Key header can be repeated without harm. */
  idempotent?: boolean;
  /** True if it begins or ends a session of the web page. */
  setsCookie?: boolean;
  /** True if its answer has texts in the language of `Accept-Language`: see languages.ts. */
  translated?: boolean;
  /** Translates the errors of the operation for callers who prefer Russian. */
  inRussian?: Translate;
  /** True if `stream: true` in the body makes the answer `text/event-stream`. */
  streams?: boolean;
  /** The right that the credential must have. Default: `defaultRights` of the access. */
  right?: Right;
  /**
   * For operators and admins: it changes nothing and shows nobody's texts, so neither the audit nor the log records who
   * used it.
   */
  unlogged?: boolean;
  /** For admins: what the audit calls the act. The handler passes `call.act` to the method that makes the change. */
  act?: AuditAction;
  /** How many calls one user may make within a minute, on one node. */
  callsPerMinute?: number;
  /** Maximum size of a body. Default: `BODY_MAX_BYTES`, and without a credential `PUBLIC_BODY_MAX_BYTES`. */
  bodyMaxBytes?: number;
  /** True if the answer may take as long as a provider does: the idle timeout does not apply. */
  slow?: boolean;
}

/**
 * A body for the reference page to fill in. It works on a fresh server where that is possible. Values that only the
 * reader knows, such as a password, describe themselves. Required if the body has a required field.
 */
type Example<Body> = object extends Body
  ? { example?: Body }
  : Body extends Record<string, never>
    ? { example?: Body }
    : { example: Body };

type Definition<Body extends z.ZodType, Result extends z.ZodType, C> = OperationDescription<
  Body,
  Result
> &
  Example<z.input<Body>> & {
    handle: (body: z.output<Body>, call: C) => Promise<z.input<Result> | Response>;
  };

/**
 * One JSON operation: its request, its answer, and the function that does the work. The schemas validate requests and
 * make the OpenAPI document. To stream its answer, `handle` returns a Response.
 */
export type Operation = OperationDescription<z.ZodType, z.ZodType> & { example: unknown } & (
    | { access: 'public'; handle: (body: never, call: Call) => Promise<unknown> }
    | { access: 'user'; handle: (body: never, call: UserCall) => Promise<unknown> }
    | { access: 'operator' | 'admin'; handle: (body: never, call: ActCall) => Promise<unknown> }
  );

const defaultRights = { user: 'account', operator: 'operator', admin: 'admin' } as const;

/** The right that the credential of a call must have; undefined: the operation needs no credential. */
export function rightFor({ access, right }: Operation): Right | undefined {
  return access === 'public' ? undefined : (right ?? defaultRights[access]);
}

/** An operation that anyone may call. */
export function publicOperation<Body extends z.ZodType, Result extends z.ZodType>(
  operation: Definition<Body, Result, Call>,
): Operation {
  return { example: {}, ...operation, access: 'public' };
}

/** An operation that needs a token or an API key. */
export function userOperation<Body extends z.ZodType, Result extends z.ZodType>(
  operation: Definition<Body, Result, UserCall>,
): Operation {
  return { example: {}, ...operation, access: 'user' };
}

/** An operation of operators and admins is either `unlogged` or names its `act`. */
type Reading<Body extends z.ZodType, Result extends z.ZodType> = Definition<
  Body,
  Result,
  OperatorCall
> & { unlogged: true; act?: never };
type Acting<Body extends z.ZodType, Result extends z.ZodType> = Definition<
  Body,
  Result,
  ActCall
> & { act: AuditAction; unlogged?: never };

/** Makes operations for one kind of access. */
interface Define {
  <Body extends z.ZodType, Result extends z.ZodType>(operation: Reading<Body, Result>): Operation;
  <Body extends z.ZodType, Result extends z.ZodType>(operation: Acting<Body, Result>): Operation;
}

function definedFor(access: 'operator' | 'admin'): Define {
  return <Body extends z.ZodType, Result extends z.ZodType>(
    operation: Definition<Body, Result, ActCall>,
  ): Operation => ({ example: {}, ...operation, access });
}

/** An operation that needs a token or an API key of an operator or admin. The database is queried at each call. */
export const operatorOperation = definedFor('operator');

/** An operation that needs a token or an API key of an admin. The database is queried at each call. */
export const adminOperation = definedFor('admin');
