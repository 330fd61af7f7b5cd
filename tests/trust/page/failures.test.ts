import { expect, test } from 'bun:test';
import { fetchFailureReasons, isTemporary } from '../../../src/trust/page/failures.ts';

test('a failure without an answer is temporary; an answer without a page is not', () => {
  const lasting = fetchFailureReasons.filter((reason) => !isTemporary(reason, null));
  expect(lasting).toEqual([
    ...(['invalid_url', 'scheme', 'port', 'denied_address', 'header_limit', 'encoding'] as const),
    ...(['bomb', 'redirect_loop', 'too_many_redirects', 'robots_disallowed'] as const),
  ]);
});

test('an answer that reports trouble is temporary', () => {
  const statuses = [301, 400, 403, 404, 408, 410, 429, 500, 502, 503, 504];
  const passing = statuses.filter((status) => isTemporary('http_status', status));
  expect(passing).toEqual([408, 429, 500, 502, 503, 504]);
});
