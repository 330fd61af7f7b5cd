/** Fields and refusals of the legacy interface, as clients of the time write and read them. */
import { describe, expect, test } from 'bun:test';
import { legacyText, parseForm } from '../../src/http/legacy/text.ts';
import { loginRefusal, refusalLine, trustRefusal } from '../../src/http/legacy/refusal.ts';
import { DomainError } from '../../src/lib/errors.ts';

describe('a field', () => {
  test.each([
    ['the first of several counts', 'pass=one&pass=two', 'one'],
    ['escaped in UTF-8', 'pass=%d0%bf%D0%B0', 'па'],
    ['escaped in windows-1251', 'pass=%EF%e0', 'па'],
    ['sent as bytes of windows-1251', 'pass=\u00ef\u00e0', 'па'],
    ['with spaces and a lone percent', 'pass=a+b%20c%+%zz', 'a b c% %zz'],
    ['with an equals sign', 'pass=a=b', 'a=b'],
    ['without a value', 'pass', ''],
  ])('%s', (_, text, value) => {
    expect(parseForm(text, 'windows-1251').get('pass')).toBe(value);
  });
});

describe('a refusal', () => {
  test('is one line of three fields, whatever its message contains', async () => {
    const message = 'a|b\r\nc\t d';
    const line = refusalLine({ status: 400, code: 'url', message }, 'utf-8');
    expect(await line.text()).toBe('error|url|a¦b c d');
  });

  test('gives Retry-After in whole seconds', () => {
    const busy = new DomainError('overloaded', 'busy', { retryAfterSeconds: 1.2 });
    expect(trustRefusal(busy, 'utf-8')?.headers.get('retry-after')).toBe('2');
    expect(loginRefusal(busy, 'utf-8').headers.get('retry-after')).toBe('2');
    const never = loginRefusal(new DomainError('invalid_json', 'cut off'), 'utf-8');
    expect([never.status, never.headers.get('retry-after')]).toEqual([400, null]);
  });
});

test.each([
  [
    'a letter and its accent, which the charset has as one letter',
    'и\u0306 Е\u0308 і\u0308',
    'й Ё ї',
  ],
  ['a letter with an accent that the charset lacks', 'e\u0301 о\u0301', '? о?'],
  ['what is beyond the basic plane, and a broken character', '😀 \ufffd', '? ?'],
])('in windows-1251: %s', async (_, text, written) => {
  const body = await legacyText(text, 'windows-1251').arrayBuffer();
  expect(new TextDecoder('windows-1251').decode(body)).toBe(written);
});
