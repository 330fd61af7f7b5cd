import type { Quota } from '../lib/quota.ts';

const counted = ['requests', 'tokens'] as const;

export const limitHeaderNames: readonly string[] = [
  'ratelimit',
  'ratelimit-policy',
  ...counted.flatMap((of) =>
    ['limit', 'remaining', 'reset'].flatMap((what) => [
      `x-ratelimit-${what}-${of}`,
      `anthropic-ratelimit-${of}-${what}`,
    ]),
  ),
];

/**
 * What is left of a caller's limits, as in draft-ietf-httpapi-ratelimit-headers-11, in whole rubles. Empty for a caller
 * without limits.
 */
export function rateLimitHeaders(quotas: readonly Quota[]): Record<string, string> {
  if (quotas.length === 0) return {};
  const policies = quotas.map(
    ({ of, limit, windowSeconds }) =>
      `"${of}";q=${limit}${parameter('w', windowSeconds)}${of === 'requests' ? '' : `;qu="${of}"`}`,
  );
  const states = quotas.map(
    ({ of, remaining, resetSeconds }) => `"${of}";r=${remaining}${parameter('t', resetSeconds)}`,
  );
  return { 'ratelimit-policy': policies.join(', '), ratelimit: states.join(', ') };
}

/** A budget that does not renew has no window and no end of it. */
function parameter(name: 'w' | 't', value: number | null): string {
  return value === null ? '' : `;${name}=${value}`;
}

/** The same plus OpenAI's headers, which exist for requests and tokens. */
export function openAiLimitHeaders(quotas: readonly Quota[]): Record<string, string> {
  const headers = rateLimitHeaders(quotas);
  for (const { of, limit, remaining, resetSeconds } of quotas) {
    if (of === 'rubles' || resetSeconds === null) continue;
    headers[`x-ratelimit-limit-${of}`] = String(limit);
    headers[`x-ratelimit-remaining-${of}`] = String(remaining);
    headers[`x-ratelimit-reset-${of}`] = `${resetSeconds}s`;
  }
  return headers;
}

/** The same plus Anthropic's headers. */
export function anthropicLimitHeaders(quotas: readonly Quota[]): Record<string, string> {
  const headers = rateLimitHeaders(quotas);
  for (const { of, limit, remaining, resetSeconds } of quotas) {
    if (of === 'rubles' || resetSeconds === null) continue;
    const reset = new Date(Date.now() + resetSeconds * 1000).toISOString();
    headers[`anthropic-ratelimit-${of}-limit`] = String(limit);
    headers[`anthropic-ratelimit-${of}-remaining`] = String(remaining);
    headers[`anthropic-ratelimit-${of}-reset`] = `${reset.slice(0, 19)}Z`;
  }
  return headers;
}
