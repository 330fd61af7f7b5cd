/**
 * Why a page could not be read, and what that says about it:
 * - `lasting`: the site has no page for us;
 * - `unreachable`: no server answered at all, so another scheme or host name of the site may work;
 * - `temporary`: another failure of the network, or trouble of the server;
 * - `unrequested`: no request was made, so nothing is known.
 */
const kinds = {
  invalid_url: 'lasting',
  scheme: 'lasting',
  port: 'lasting',
  denied_address: 'lasting',
  dns: 'unreachable',
  connect: 'unreachable',
  connect_timeout: 'unreachable',
  tls: 'unreachable',
  headers_timeout: 'temporary',
  header_limit: 'lasting',
  protocol: 'temporary',
  total_timeout: 'temporary',
  too_slow: 'temporary',
  incomplete: 'temporary',
  encoding: 'lasting',
  bomb: 'lasting',
  redirect_loop: 'lasting',
  too_many_redirects: 'lasting',
  robots_disallowed: 'lasting',
  robots_unreachable: 'temporary',
  site_budget: 'unrequested',
  busy: 'unrequested',
  stopped: 'unrequested',
} as const;

/**
 * Only for logs, metrics and our own decisions: users see no difference between failures, so that nobody can map a
 * private network through this server.
 */
export type FetchFailureReason = keyof typeof kinds;

export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  readonly reason: FetchFailureReason;

  constructor(reason: FetchFailureReason, detail: string, options: { cause?: unknown } = {}) {
    super(`${reason}: ${detail}`, options.cause === undefined ? undefined : options);
    this.reason = reason;
  }
}

function kindOf(reason: string): string | undefined {
  return (kinds as Partial<Record<string, string>>)[reason];
}

export function isUnreachable(reason: string): boolean {
  return kindOf(reason) === 'unreachable';
}

export function isPassing(reason: string): boolean {
  return kindOf(reason) === 'unrequested';
}

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR_FROM = 500;

/**
 * Whether a failure may be temporary: there was no answer, or the answer reports trouble rather than a missing page.
 */
export function isTemporary(reason: string, status: number | null): boolean {
  if (status === null) return kindOf(reason) !== 'lasting';
  return status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS || status >= SERVER_ERROR_FROM;
}

/** Like failures to reach a server: it answers, but not with a page. */
const PAGELESS: ReadonlySet<string> = new Set(
  'headers_timeout,incomplete,protocol,redirect_loop,robots_unreachable,too_many_redirects'.split(
    ',',
  ),
);

/**
 * Whether `www.` is worth a try after the bare domain failed. It is not if the bare domain forbids the page or asks us
 * to slow down, nor if no request was made. @param status of the answer, null without one
 */
export function mayWorkAtWww(reason: string, status: number | null): boolean {
  if (status !== null) return status !== TOO_MANY_REQUESTS;
  return isUnreachable(reason) || PAGELESS.has(reason);
}
