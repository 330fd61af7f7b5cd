import { describe, expect, test } from 'bun:test';
import { toCallerError } from '../../src/chat/send/fail.ts';
import { NotSentError, ProviderError } from '../../src/providers/index.ts';

describe('a call that was never sent', () => {
  test.each([
    ['keys_resting', "refuses all of this server's keys"],
    ['limited', 'is busy'],
    ['breaker_open', 'can not be reached'],
    ['not_set_up', 'can not be reached'],
  ] as const)('since %s is reported as such, and may be repeated', (reason, words) => {
    const shown = toCallerError(new NotSentError(reason, 'for the log', { retryAfterSeconds: 20 }));
    expect(shown).toMatchObject({ code: 'provider_unavailable', retryAfterSeconds: 20 });
    expect([shown.message.includes(words), shown.providerCalled]).toEqual([true, false]);
  });
});

test('a model that its provider does not have is reported as such, and the send must not be repeated', () => {
  const error = new ProviderError('not_found', 'no', { accepted: false, status: 404 });
  const shown = toCallerError(error);
  expect(shown).toMatchObject({ code: 'provider_error', providerCalled: true });
  expect(shown.message).toContain('does not have this model');
});
