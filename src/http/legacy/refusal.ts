import type { DomainError, ErrorCode } from '../../lib/errors.ts';
import type { LegacyCharset } from './form.ts';
import { legacyText } from './text.ts';

interface Words {
  status: number;
  code: string;
  /** Where the error's own speaks of tokens, which this interface has none of. */
  message?: string;
}

const logIn: Words = {
  status: 401,
  code: 'auth',
  message: 'log in at /login.php, and send its cookie',
};

/** The interface's own words for the codes that can occur in it. */
const words: Partial<Record<ErrorCode, Words>> = {
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

/** `error|code|message` for what a trust check was refused for; undefined for what it has no word for. */
export function trustRefusal(error: DomainError, charset: LegacyCharset): Response | undefined {
  const known = words[error.code];
  return known && refusalLine({ message: error.message, ...known }, charset, retryAfter(error));
}

/** The line of a refusal; its fields can't be broken by the message. */
export function refusalLine(
  { status, code, message }: { status: number; code: string; message: string },
  charset: LegacyCharset,
  headers: Record<string, string> = {},
): Response {
  const text = message.replaceAll('|', '¦').replace(/\s+/g, ' ');
  return legacyText(`error|${code}|${text}`, charset, status, headers);
}

/** Wrong credentials, and all else that is not here, are 200. */
const loginStatus: Partial<Record<ErrorCode, number>> = {
  invalid_json: 400,
  payload_too_large: 413,
  too_many_attempts: 429,
  overloaded: 503,
};

/** A login answers every refusal with the same word; the status says whether the credentials were wrong. */
export function loginRefusal(error: DomainError, charset: LegacyCharset): Response {
  const status = loginStatus[error.code] ?? 200;
  const waits = status === 429 || status === 503;
  return legacyText('no', charset, status, waits ? retryAfter(error, 1) : {});
}

/**
 * The same for a request that no route has seen.
 * @returns undefined where the path is not of this interface
 */
export function legacyRefusal(
  path: string,
  method: string,
  error: DomainError,
  charset: LegacyCharset,
): Response | undefined {
  if (path === '/trast.php') return trustRefusal(error, charset);
  const isLogin = path === '/login.php' || path === '/logout.php';
  return isLogin || (path === '/' && method === 'POST') ? loginRefusal(error, charset) : undefined;
}

function retryAfter(error: DomainError, least?: number): Record<string, string> {
  const seconds = error.retryAfterSeconds ?? least;
  return seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds)) };
}
