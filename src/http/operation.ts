import type { z } from 'zod';
import { DomainError, type ErrorCode } from '../lib/errors.ts';
import type { Caller, Right } from '../users/index.ts';
import { problemsOf } from './body-problems.ts';
import { nearestIssues } from './issues.ts';

/** What an operation knows of its request besides the body. */
export interface Call {
  request: Request;
  requestId: string;
  /** The client's address, behind trusted proxies the one that they name. */
  readonly address: string;
  /** The body as it was sent, for idempotency. */
  bytes: Uint8Array;
  /** Extra headers of a successful answer. */
  headers: Record<string, string>;
}

export interface UserCall extends Call {
  caller: Caller;
}

interface OperationDescription<Body extends z.ZodType, Result extends z.ZodType> {
  /** With the trailing slash; the same path without it works too. */
  path: `/${string}/`;
  tag: string;
  summary: string;
  description?: string;
  body: Body;
  result: Result;
  /** Codes beyond those that every operation can answer. */
  errors: readonly ErrorCode[];
  /** An Idempotency-Key header makes repeating it harmless. */
  idempotent?: boolean;
  /** With `stream: true` in the body it answers `text/event-stream`. */
  streams?: boolean;
  /** The right that the credential must have; by default `account`, or `admin` for an admin's operation. */
  right?: Right;
  /** For admins: it changes nothing and shows nobody's texts, so the log need not say who used it. */
  unlogged?: boolean;
  /** Most calls of one user within a minute, on one node. */
  callsPerMinute?: number;
  /** Most bytes of a body; absent: `BODY_MAX_BYTES`. */
  bodyMaxBytes?: number;
  /** The answer may take as long as a provider does: the idle timeout does not apply. */
  slow?: boolean;
}

/**
 * One JSON operation: what it takes, what it answers, and the function that does it. The schemas both
 * validate requests and make the OpenAPI document. `handle` may answer a Response itself to stream.
 */
export type Operation = OperationDescription<z.ZodType, z.ZodType> &
  (
    | { access: 'public'; handle: (body: never, call: Call) => Promise<unknown> }
    | { access: 'user' | 'admin'; handle: (body: never, call: UserCall) => Promise<unknown> }
  );

/** An operation that anybody may call. */
export function publicOperation<Body extends z.ZodType, Result extends z.ZodType>(
  operation: OperationDescription<Body, Result> & {
    handle: (body: z.output<Body>, call: Call) => Promise<z.input<Result> | Response>;
  },
): Operation {
  return { ...operation, access: 'public' };
}

/** An operation that needs a token or an API key. */
export function userOperation<Body extends z.ZodType, Result extends z.ZodType>(
  operation: OperationDescription<Body, Result> & {
    handle: (body: z.output<Body>, call: UserCall) => Promise<z.input<Result> | Response>;
  },
): Operation {
  return { ...operation, access: 'user' };
}

/** An operation that needs a token or an API key of an admin, asked of the database at each call. */
export function adminOperation<Body extends z.ZodType, Result extends z.ZodType>(
  operation: OperationDescription<Body, Result> & {
    handle: (body: z.output<Body>, call: UserCall) => Promise<z.input<Result> | Response>;
  },
): Operation {
  return { ...operation, access: 'admin' };
}

/** How many problems of a body are named: a list of a million wrong values has a million. */
const PROBLEMS_MAX = 50;

/** Checks a body against its schema. @throws `invalid_request` naming every field that is wrong */
export function parseBody(schema: z.ZodType, value: unknown): unknown {
  const parsed = tryParse(schema, value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const details = problemsOf(nearestIssues(issues.slice(0, PROBLEMS_MAX)), value);
  const words = details.map((detail) => `${detail.path}: ${detail.message}`);
  if (issues.length > PROBLEMS_MAX) words.push(`and ${issues.length - PROBLEMS_MAX} more`);
  throw new DomainError('invalid_request', words.join('; '), { details });
}

/** Some values make a check of the library throw instead of refusing them, e.g. a `length` that is an object. */
function tryParse(schema: z.ZodType, value: unknown) {
  try {
    return schema.safeParse(value);
  } catch (cause) {
    const message = 'a value of the request body is of another type than this operation takes';
    throw new DomainError('invalid_request', message, { cause });
  }
}
