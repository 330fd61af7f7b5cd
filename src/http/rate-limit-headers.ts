import type { Quota } from '../lib/quota.ts';

const counted = ['requests', 'tokens'] as const;

/** All headers of this file by their names. */
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
 * What is left of a caller's limits, as draft-ietf-httpapi-ratelimit-headers-11 tells it; rubles are whole
 * ones. Empty for a caller without limits.
 */
export function rateLimitHeaders(quotas: readonly Quota[]): Record<string, string> {
  if (quotas.length === 0) return {};
  const policies = quotas.map(
    ({ of, limit, windowSeconds }) =>
      `"${of}";q=${limit};w=${windowSeconds}${of === 'requests' ? '' : `;qu="${of}"`}`,
  );
  const states = quotas.map(
    ({ of, remaining, resetSeconds }) => `"${of}";r=${remaining};t=${resetSeconds}`,
  );
  return { 'ratelimit-policy': policies.join(', '), ratelimit: states.join(', ') };
}

/** The same with OpenAI's headers, which know requests and tokens. */
export function openAiLimitHeaders(quotas: readonly Quota[]): Record<string, string> {
  const headers = rateLimitHeaders(quotas);
  for (const { of, limit, remaining, resetSeconds } of quotas) {
    if (of === 'rubles') continue;
    headers[`x-ratelimit-limit-${of}`] = String(limit);
    headers[`x-ratelimit-remaining-${of}`] = String(remaining);
    headers[`x-ratelimit-reset-${of}`] = `${resetSeconds}s`;
  }
  return headers;
}

/** The same with Anthropic's. */
export function anthropicLimitHeaders(quotas: readonly Quota[]): Record<string, string> {
  const headers = rateLimitHeaders(quotas);
  for (const { of, limit, remaining, resetSeconds } of quotas) {
    if (of === 'rubles') continue;
    const reset = new Date(Date.now() + resetSeconds * 1000).toISOString();
    headers[`anthropic-ratelimit-${of}-limit`] = String(limit);
    headers[`anthropic-ratelimit-${of}-remaining`] = String(remaining);
    headers[`anthropic-ratelimit-${of}-reset`] = `${reset.slice(0, 19)}Z`;
  }
  return headers;
}
