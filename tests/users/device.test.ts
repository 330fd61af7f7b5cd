import { describe, expect, test } from 'bun:test';
import { deviceOf } from '../../src/users/device.ts';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the device of a login', () => {
  test.each([
    [`${MOZILLA} (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0`, 'Firefox, Linux'],
    [
      `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0 Safari/537.36`,
      'Chrome, Windows',
    ],
    [
      `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0 Safari/537.36 Edg/142.0`,
      'Edge, Windows',
    ],
    [
      `${MOZILLA} (Windows NT 10.0) ${WEBKIT} Chrome/140.0 YaBrowser/25.10 Safari/537.36`,
      'Yandex Browser, Windows',
    ],
    [
      `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15`,
      'Safari, macOS',
    ],
    [
      `${MOZILLA} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 CriOS/142.0 Mobile Safari/604.1`,
      'Chrome, iOS',
    ],
    [
      `${MOZILLA} (Linux; Android 15; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
      'Samsung Internet, Android',
    ],
    ['Firefox/1', 'Firefox'],
    ['python-requests/2.32.5', 'python-requests'],
    ['curl/8.15.0', 'curl'],
    ['Bun/1.3.1', 'Bun'],
  ])('%s', (userAgent, device) => {
    expect(deviceOf(userAgent)).toBe(device);
  });

  test.each(['', MOZILLA, '<script>', '\u0000\u202e', '   '])(
    '%j contains no device',
    (userAgent) => {
      expect(deviceOf(userAgent)).toBeNull();
    },
  );

  test('a hostile one is short, and has no special characters', () => {
    expect(deviceOf('a'.repeat(100_000))).toHaveLength(40);
    expect(deviceOf(`curl/8<b>${' '.repeat(9)}\u202e`)).toBe('curl');
  });
});
