/** The remainder of a caller's limits, in the headers of each interface. */
import { expect, test } from 'bun:test';
import {
  anthropicLimitHeaders,
  limitHeaderNames,
  openAiLimitHeaders,
  rateLimitHeaders,
} from '../../src/http/rate-limit-headers.ts';
import type { Quota } from '../../src/lib/quota.ts';

const quotas: Quota[] = [
  { of: 'requests', limit: 60, remaining: 7, windowSeconds: 60, resetSeconds: 13 },
  { of: 'tokens', limit: 9_000, remaining: 0, windowSeconds: 60, resetSeconds: 14 },
  { of: 'rubles', limit: 500, remaining: 20, windowSeconds: 86_400, resetSeconds: 3_600 },
];
const standard = {
  'ratelimit-policy':
    '"requests";q=60;w=60, "tokens";q=9000;w=60;qu="tokens", "rubles";q=500;w=86400;qu="rubles"',
  ratelimit: '"requests";r=7;t=13, "tokens";r=0;t=14, "rubles";r=20;t=3600',
};

test('headers follow the draft standard', () => {
  expect(rateLimitHeaders(quotas)).toEqual(standard);
});

test('headers follow OpenAI', () => {
  expect(openAiLimitHeaders(quotas)).toEqual({
    ...standard,
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '7',
    'x-ratelimit-reset-requests': '13s',
    'x-ratelimit-limit-tokens': '9000',
    'x-ratelimit-remaining-tokens': '0',
    'x-ratelimit-reset-tokens': '14s',
  });
});

test('headers follow Anthropic, whose resets are dates', () => {
  const headers = anthropicLimitHeaders(quotas);
  const reset = headers['anthropic-ratelimit-tokens-reset'] ?? '';
  expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  // Seconds from now, and not milliseconds: both limits are in one answer, one second apart.
  const other = headers['anthropic-ratelimit-requests-reset'] ?? '';
  expect(Date.parse(reset) - Date.parse(other)).toBeGreaterThanOrEqual(1_000);
  expect(headers).toMatchObject({
    ...standard,
    'anthropic-ratelimit-requests-limit': '60',
    'anthropic-ratelimit-requests-remaining': '7',
    'anthropic-ratelimit-tokens-remaining': '0',
  });
});

test('all headers are listed by name, and absent without limits', () => {
  const all = { ...openAiLimitHeaders(quotas), ...anthropicLimitHeaders(quotas) };
  expect(Object.keys(all).toSorted()).toEqual(limitHeaderNames.toSorted());
  expect([rateLimitHeaders([]), openAiLimitHeaders([]), anthropicLimitHeaders([])]).toEqual([
    {},
    {},
    {},
  ]);
});
