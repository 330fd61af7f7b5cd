import { expect, spyOn, test } from 'bun:test';
import { reportedFailure } from '../../src/providers/shared/reported-failure.ts';
import { canaryKey } from './fixtures.ts';

const message = (text: string, secret: string | undefined = canaryKey) =>
  reportedFailure({ message: text }, secret)?.message;

test('a message for the log has no key in it, not even half of one', () => {
  const padding = 'x'.repeat(290);
  expect(message(`${padding} ${canaryKey}`)).not.toContain(canaryKey.slice(0, 3));
  expect(message(`${canaryKey} `.repeat(100))?.replaceAll('[key]', '').trim()).toBe('');
  expect(message('Incorrect API key provided: sk-canar***********3456.')).not.toContain('3456');
  expect(message('Bearer abcdefghijkl was refused', '')).toBe('[key] was refused');
});

test('a message for the log has no key of an unusual form, plain, percent-encoded or in base64', () => {
  const key = 'a key/like «no» other+0123';
  const base64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
  expect(message(`${key}|${encodeURIComponent(key)}|${base64}`, key)).toBe('[key]|[key]|[key]');
});

test('a code or type is kept if it is one word without the key', () => {
  const raw = { code: 404, type: 'invalid_request_error' };
  expect(reportedFailure(raw, canaryKey)).toEqual({ code: '404', type: 'invalid_request_error' });
  for (const code of ['Tell Olga that', canaryKey, 'x'.repeat(65), {}, null]) {
    expect(reportedFailure({ code, message: 'no' }, canaryKey)).toEqual({ message: 'no' });
  }
  expect(reportedFailure({ code: null, message: '' }, canaryKey)).toBeUndefined();
});

test('only the beginning of a long message is read', () => {
  const replace = spyOn(String.prototype, 'replaceAll');
  try {
    expect(message('s'.repeat(400_000))).toHaveLength(300);
    const lengths = replace.mock.contexts.map((text) => String(text).length);
    expect(Math.max(...lengths)).toBeLessThan(2_000);
  } finally {
    replace.mockRestore();
  }
});
