/**
 * Why a fetch failed. For logs, metrics and our own decisions only: users see no difference between failures, so that
 * nobody can map a private network through this server.
 */
export const fetchFailureReasons = [
  'invalid_url',
  'scheme',
  'port',
  'denied_address',
  'dns',
  'connect',
  'connect_timeout',
  'tls',
  'headers_timeout',
  'header_limit',
  'protocol',
  'total_timeout',
  'too_slow',
  'incomplete',
  'encoding',
  'bomb',
  'redirect_loop',
  'too_many_redirects',
  'site_budget',
  'busy',
  'stopped',
] as const;

export type FetchFailureReason = (typeof fetchFailureReasons)[number];

/** Why robots.txt keeps us from a page. */
export type RobotsRefusalReason = 'robots_disallowed' | 'robots_unreachable';

export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  readonly reason: FetchFailureReason;

  constructor(reason: FetchFailureReason, detail: string, options: { cause?: unknown } = {}) {
    super(`${reason}: ${detail}`, options.cause === undefined ? undefined : options);
    this.reason = reason;
  }
}

const unreachable: ReadonlySet<string> = new Set<FetchFailureReason>([
  'dns',
  'connect',
  'connect_timeout',
  'tls',
]);

/** True when no server answered at all: another scheme or host name of the same site may work. */
export function isUnreachable(reason: string): boolean {
  return unreachable.has(reason);
}

/** True when no request was made: the failure says nothing about the site. */
export function isPassing(reason: string): boolean {
  return reason === 'stopped' || reason === 'busy' || reason === 'site_budget';
}

/** Failures of the network, or our own: the site did not answer. */
const withoutAnswer: ReadonlySet<string> = new Set<FetchFailureReason | RobotsRefusalReason>([
  'dns',
  'connect',
  'connect_timeout',
  'tls',
  'headers_timeout',
  'protocol',
  'total_timeout',
  'too_slow',
  'incomplete',
  'site_budget',
  'busy',
  'stopped',
  'robots_unreachable',
]);
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR_FROM = 500;

/**
 * Whether a failure may pass: there was no answer, or one that reports trouble rather than a missing page. Any other
 * failure means that the site has no page for us.
 * @param status of the answer, if there was one
 */
export function isTemporary(reason: string, status: number | null): boolean {
  if (status === null) return withoutAnswer.has(reason);
  return status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS || status >= SERVER_ERROR_FROM;
}
