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
export function isUnreachable(reason: FetchFailureReason): boolean {
  return (
    reason === 'dns' || reason === 'connect' || reason === 'connect_timeout' || reason === 'tls'
  );
}
