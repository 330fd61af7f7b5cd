import { DomainError, type ErrorCode } from '../../lib/errors.ts';
import type { HttpApp, HttpContext } from '../request-facts.ts';
import { type LegacyCharset, legacyText } from './text.ts';

interface Line {
  status: number;
  code: string;
  message: string;
}

const logIn: Line = {
  status: 401,
  code: 'auth',
  message: 'log in at /login.php, and send its cookie',
};

/**
 * Status and code of the trust line for each error that can occur in it. Some have their own message, since the general
 * one mentions tokens, while this interface has cookies.
 */
const trustLines: Partial<Record<ErrorCode, Omit<Line, 'message'> & Partial<Line>>> = {
  unauthenticated: logIn,
  invalid_token: logIn,
  token_expired: logIn,
  token_revoked: logIn,
  user_blocked: { status: 401, code: 'auth' },
  forbidden: { status: 401, code: 'auth' },
  invalid_request: { status: 400, code: 'url' },
  allowance_used_up: { status: 429, code: 'limit' },
  overloaded: { status: 503, code: 'busy' },
};

/** Statuses of refused logins. Every other code, including wrong credentials, is 200. */
const loginStatus: Partial<Record<ErrorCode, number>> = {
  invalid_json: 400,
  forbidden: 403,
  payload_too_large: 413,
  too_many_attempts: 429,
  overloaded: 503,
};

/** A parameter of the trust check that is missing or wrong. Only this interface has codes for these. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly parameter: 'tp' | 'h';

  constructor(parameter: 'tp' | 'h', message: string) {
    super(message);
    this.parameter = parameter;
  }
}

/**
 * An error in the form of this interface.
 * @returns undefined for a path of another interface, and for an error that has no form here
 */
export function legacyRefusal(
  method: string,
  path: string,
  error: unknown,
  charset: LegacyCharset,
): Response | undefined {
  if (error instanceof ParameterError) {
    const { parameter: code, message } = error;
    return refusalLine({ status: 400, code, message }, charset);
  }
  if (!(error instanceof DomainError)) return undefined;
  if (path === '/trast.php') return trustRefusal(error, charset);
  const isLogin = path === '/login.php' || path === '/logout.php';
  return isLogin || (path === '/' && method === 'POST') ? loginRefusal(error, charset) : undefined;
}

/** `error|code|message`; undefined for an error without such a line. */
export function trustRefusal(error: DomainError, charset: LegacyCharset): Response | undefined {
  const known = trustLines[error.code];
  return known && refusalLine({ message: error.message, ...known }, charset, retryAfter(error));
}

/** A refusal of the trust check. Its message is cleaned, so that it can't break the fields of the line. */
export function refusalLine(
  { status, code, message }: Line,
  charset: LegacyCharset,
  headers: Record<string, string> = {},
): Response {
  const text = message.replaceAll('|', '¦').replace(/\s+/g, ' ');
  return legacyText(`error|${code}|${text}`, charset, status, headers);
}

/** Every refused login gets the same word. The status shows whether the credentials were wrong. */
export function loginRefusal(error: DomainError, charset: LegacyCharset): Response {
  const status = loginStatus[error.code] ?? 200;
  const waits = status === 429 || status === 503;
  return legacyText('no', charset, status, waits ? retryAfter(error, 1) : {});
}

function retryAfter(error: DomainError, least?: number): Record<string, string> {
  const seconds = error.retryAfterSeconds ?? least;
  return seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds)) };
}

type Handle = (c: HttpContext) => Promise<Response>;

/**
 * Mounts a path with the methods that it accepts; every other method gets 405. That includes HEAD: a GET of this
 * interface uses up allowance or ends a session, and its headers can't be known without doing so.
 * @param refuse answers a method that the path does not accept, in the form of that path
 */
export function mountMethods(
  app: HttpApp,
  path: string,
  { get, post }: { get: Handle; post?: Handle },
  refuse: (headers: Record<string, string>) => Response,
): void {
  const allow = post ? 'GET, POST' : 'GET';
  const refused = (): Response => refuse({ allow });
  // HEAD is routed as GET.
  app.get(path, (c) => (c.env.isHead ? refused() : get(c)));
  if (post) app.post(path, post);
  app.all(path, refused);
}
