import { expect, test } from 'bun:test';
import { type FetchFailureReason, isTemporary } from '../../../src/trust/page/failures.ts';

const temporary: Record<FetchFailureReason, boolean> = {
  invalid_url: false,
  scheme: false,
  port: false,
  denied_address: false,
  dns: true,
  connect: true,
  connect_timeout: true,
  tls: true,
  headers_timeout: true,
  header_limit: false,
  protocol: true,
  total_timeout: true,
  too_slow: true,
  incomplete: true,
  encoding: false,
  bomb: false,
  redirect_loop: false,
  too_many_redirects: false,
  robots_disallowed: false,
  robots_unreachable: true,
  site_budget: true,
  busy: true,
  stopped: true,
};

test('a failure without a response is temporary; a response without a page is not', () => {
  for (const [reason, expected] of Object.entries(temporary)) {
    expect([reason, isTemporary(reason as FetchFailureReason, null)]).toEqual([reason, expected]);
  }
});

test('a response that reports trouble is temporary', () => {
  const statuses = [301, 400, 403, 404, 408, 410, 429, 500, 502, 503, 504];
  const passing = statuses.filter((status) => isTemporary('http_status', status));
  expect(passing).toEqual([408, 429, 500, 502, 503, 504]);
});
