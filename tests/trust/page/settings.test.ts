import { describe, expect, test } from 'bun:test';
import { parseFetchAllow, parseFetchResolve } from '../../../src/trust/page/settings.ts';

describe('ZASTAVA_FETCH_ALLOW', () => {
  test('takes addresses and ranges', () => {
    const ranges = parseFetchAllow(' 127.0.0.1, 10.0.0.0/8,fd00::/8 ,::1, 0.0.0.0/0,');
    expect(ranges.map(({ text, bits }) => [text, bits])).toEqual([
      ['127.0.0.1', 32],
      ['10.0.0.0/8', 8],
      ['fd00::/8', 8],
      ['::1', 128],
      ['0.0.0.0/0', 0],
    ]);
    expect(parseFetchAllow('')).toEqual([]);
  });

  test.each([
    ['10.0.0/8', 'must be an address or a range'],
    ['10.0.0.0/33', 'must be an address or a range'],
    ['10.0.0.0/', 'must be an address or a range'],
    ['10.0.0.0/8/8', 'must be an address or a range'],
    ['10.0.0.0/-1', 'must be an address or a range'],
    ['fd00::/129', 'must be an address or a range'],
    ['localhost', 'must be an address or a range'],
    ['0x7f.0.0.1', 'must be an address or a range'],
    ['fe80::1%eth0', 'must be an address or a range'],
    ['127.0.0.1, intranet', '"intranet" must be'],
    ['10.1.2.3/8', 'did you mean 10.0.0.0/8?'],
    ['fd12:3::/16', 'did you mean fd12::/16?'],
  ])('refuses %p', (text, message) => {
    expect(() => parseFetchAllow(text)).toThrow(message);
  });
});

describe('ZASTAVA_FETCH_RESOLVE', () => {
  test('takes pairs, with hosts in any spelling', () => {
    const text = 'Example.com:80=127.0.0.1:8081, пример.рф:443=[::1]:8443,intranet:80=10.0.0.1:80';
    expect([...parseFetchResolve(text)]).toEqual([
      ['example.com:80', { address: '127.0.0.1', port: 8081 }],
      ['xn--e1afmkfd.xn--p1ai:443', { address: '::1', port: 8443 }],
      ['intranet:80', { address: '10.0.0.1', port: 80 }],
    ]);
    expect(parseFetchResolve('').size).toBe(0);
  });

  test.each([
    ['example.com=127.0.0.1', 'must look like'],
    ['example.com:80', 'must look like'],
    ['example.com:80=127.0.0.1', 'must look like'],
    ['example.com=127.0.0.1:80', 'must look like'],
    ['example.com:0=127.0.0.1:80', 'must look like'],
    ['example.com:80=127.0.0.1:65536', 'must look like'],
    ['example.com:80=127.0.0.1:80=1', 'must look like'],
    ['example.com:80=::1:80', 'must look like'],
    ['example.com:80=localhost:80', 'must be an address'],
    ['example.com:80=[fe80::1%eth0]:80', 'must be an address'],
    ['127.0.0.1:80=127.0.0.1:81', 'must be a host name'],
    ['2130706433:80=127.0.0.1:81', 'must be a host name'],
    ['[::1]:80=127.0.0.1:81', 'must be a host name'],
    ['a.ru:80=127.0.0.1:1,A.ru:80=127.0.0.1:2', 'is given twice'],
  ])('refuses %p', (text, message) => {
    expect(() => parseFetchResolve(text)).toThrow(message);
  });
});
