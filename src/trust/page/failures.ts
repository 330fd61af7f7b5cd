/**
 * Why a fetch failed. For logs, metrics and our own decisions only: outside, every failure looks alike,
 * so that nobody can map a private network through us.
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

export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  readonly reason: FetchFailureReason;
  /** With `site_budget`: when there is budget again. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: FetchFailureReason,
    detail: string,
    options: { cause?: unknown; retryAfterMs?: number } = {},
  ) {
    super(`${reason}: ${detail}`, options.cause === undefined ? undefined : options);
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** No server answered at all: another scheme or host name of the same site may be tried. */
export function isUnreachable(reason: string): boolean {
  return (
    reason === 'dns' || reason === 'connect' || reason === 'connect_timeout' || reason === 'tls'
  );
}

/** We did not ask: the failure says something about us and nothing about the site. */
export function isPassing(reason: string): boolean {
  return reason === 'stopped' || reason === 'busy' || reason === 'site_budget';
}

/** Failures of the way to a site, or of ours: the site itself has said nothing. */
const withoutAnAnswer: ReadonlySet<string> = new Set<FetchFailureReason | 'robots_unreachable'>([
  ...(['dns', 'connect', 'connect_timeout', 'tls', 'headers_timeout', 'protocol'] as const),
  ...(['total_timeout', 'too_slow', 'incomplete', 'site_budget', 'busy', 'stopped'] as const),
  'robots_unreachable',
]);
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR_FROM = 500;

/**
 * Whether a failure may be of the moment: no answer came, or one that speaks of trouble and not of the page. Any
 * other says that there is no page for us.
 * @param status of the answer, where there was one
 */
export function isOfTheMoment(reason: string, status: number | null): boolean {
  if (status === null) return withoutAnAnswer.has(reason);
  return status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS || status >= SERVER_ERROR_FROM;
}
