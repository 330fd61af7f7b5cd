import { describe, expect, test } from 'bun:test';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import {
  domainOfHost,
  isOfSite,
  siteOf,
  type SiteRefusalReason,
} from '../../src/trust/identity.ts';

function domainOf(input: string): string {
  const result = siteOf(input);
  return result.kind === 'site' ? result.domain : result.reason;
}

describe('a site is recognised', () => {
  test.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    ['www.example.com', 'example.com'],
    ['WWW.example.com', 'example.com'],
    ['http://example.com', 'example.com'],
    ['HTTPS://Example.com/', 'example.com'],
    ['//example.com/a', 'example.com'],
    ['https:example.com', 'example.com'],
    ['https:\\\\example.com\\a', 'example.com'],
    ['example.com:8080', 'example.com'],
    ['example.com:8080/path?query#part', 'example.com'],
    ['http://user:secret@example.com:99/', 'example.com'],
    ['user:secret@example.com', 'example.com'],
    ['example.com.', 'example.com'],
    ['  example.com \n', 'example.com'],
    ['a.b.c.example.co.uk', 'example.co.uk'],
    ['www.ru', 'www.ru'],
    ['me.github.io', 'me.github.io'],
    ['deep.me.github.io', 'me.github.io'],
    ['shop.spb.ru', 'shop.spb.ru'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['ПРИМЕР.РФ', 'xn--e1afmkfd.xn--p1ai'],
    ['www.пример。рф/путь', 'xn--e1afmkfd.xn--p1ai'],
    ['https://xn--e1afmkfd.xn--p1ai:443/', 'xn--e1afmkfd.xn--p1ai'],
    ['XN--E1AFMKFD.XN--P1AI', 'xn--e1afmkfd.xn--p1ai'],
    ['printer.office.intranet', 'office.intranet'],
    ['_dmarc.example.com', 'example.com'],
    ['example.com/http://other.com', 'example.com'],
  ])('in %p', (input, domain) => {
    expect(domainOf(input)).toBe(domain);
  });

  test('in ASCII', () => {
    const site = siteOf('http://WWW.Пример.РФ/о-нас');
    expect(site).toEqual({ kind: 'site', domain: 'xn--e1afmkfd.xn--p1ai' });
  });
});

describe('a site on a platform', () => {
  test.each([
    ['me.github.io', 'me.github.io', 'github.io'],
    ['x.bucket.s3.amazonaws.com', 'bucket.s3.amazonaws.com', 'amazonaws.com'],
    ['shop.spb.ru', 'shop.spb.ru', 'spb.ru'],
    ['www.example.co.uk', 'example.co.uk', undefined],
  ])('%p knows its platform', (input, domain, platform) => {
    for (const reading of ['private', 'icann'] as const) {
      expect(siteOf(input, reading)).toEqual({
        kind: 'site',
        domain,
        ...(platform !== undefined && { platform }),
      });
    }
  });

  test('is separate from the platform, which is a site by the suffixes of registries', () => {
    expect(siteOf('github.io', 'icann')).toEqual({ kind: 'site', domain: 'github.io' });
    expect(siteOf('s3.amazonaws.com', 'icann')).toMatchObject({ domain: 'amazonaws.com' });
    expect(siteOf('co.uk', 'icann')).toMatchObject({ reason: 'public_suffix' });
    expect(isOfSite('www.github.io', 'github.io')).toBe(true);
    expect(isOfSite('me.github.io', 'github.io')).toBe(false);
    expect(isOfSite('www.me.github.io', 'me.github.io')).toBe(true);
  });
});

describe('an address is refused', () => {
  test.each<[string, SiteRefusalReason]>([
    ['', 'empty'],
    [' \t ', 'empty'],
    ['ftp://example.com', 'scheme'],
    ['mailto:me@example.com', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['http://', 'not_an_address'],
    ['exa mple.com', 'not_an_address'],
    ['example.com:99999', 'not_an_address'],
    ['http://[::1', 'not_an_address'],
    ['xn--zz.com', 'not_an_address'],
    ['127.0.0.1', 'ip_address'],
    ['http://127.1/', 'ip_address'],
    ['2130706433', 'ip_address'],
    ['0x7f000001', 'ip_address'],
    ['0x7f.0x0.0x0.0x1', 'ip_address'],
    ['0177.0.0.01', 'ip_address'],
    ['①②⑦.⓪.⓪.①', 'ip_address'],
    ['１２７.０.０.１', 'ip_address'],
    ['%31%32%37.0.0.1', 'ip_address'],
    ['127.0.0.1.', 'ip_address'],
    ['[::1]', 'ip_address'],
    ['http://[::ffff:127.0.0.1]:80/', 'ip_address'],
    ['https://8.8.8.8/', 'ip_address'],
    ['com', 'public_suffix'],
    ['рф', 'public_suffix'],
    ['co.uk', 'public_suffix'],
    ['github.io', 'public_suffix'],
    ['https://spb.ru/', 'public_suffix'],
    ['localhost', 'single_label'],
    ['http://localhost:3000', 'single_label'],
    ['example', 'single_label'],
    ['example..com', 'bad_host'],
    ['.example.com', 'bad_host'],
    ['example.com..', 'bad_host'],
    ['ex$ample.com', 'bad_host'],
    ['-example.com', 'bad_host'],
    ['a_b.com', 'bad_host'],
  ])('%p: %s', (input, reason) => {
    expect(domainOf(input)).toBe(reason);
  });

  test('when it is too long', () => {
    expect(domainOf(`${'a'.repeat(63)}.com`)).toBe(`${'a'.repeat(63)}.com`);
    expect(domainOf(`${'a'.repeat(64)}.com`)).toBe('bad_host');
    expect(domainOf(`${'a.'.repeat(126)}example.com`)).toBe('bad_host');
    expect(domainOf(`example.com/${'a'.repeat(2_048)}`)).toBe('too_long');
  });

  test('with advice on what to send', () => {
    const refusal = siteOf('127.0.0.1');
    expect(refusal).toMatchObject({ kind: 'refusal', message: expect.stringContaining('domain') });
  });
});

describe('in any spelling', () => {
  const latin = fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/);
  const cyrillic = fc.stringMatching(/^[а-яё]{2,20}$/);
  const site = fc
    .tuple(fc.oneof(latin, cyrillic), fc.constantFrom('com', 'ru', 'рф', 'org', 'net'))
    // com.ru and the like are public suffixes.
    .filter(([name, suffix]) => siteOf(`${name}.${suffix}`).kind === 'site');

  test('Cyrillic and punycode are one site', () => {
    fc.assert(
      fc.property(site, ([name, suffix]) => {
        const unicode = `${name}.${suffix}`;
        const ascii = domainToASCII(unicode);
        expect(domainOf(unicode)).toBe(ascii);
        expect(siteOf(ascii)).toEqual(siteOf(unicode));
      }),
    );
  });

  test('scheme, www, case, port, path and credentials do not matter', () => {
    const decorations = fc.record({
      scheme: fc.constantFrom('', 'http://', 'https://', 'HTTP://', '//'),
      user: fc.constantFrom('', 'me@', 'me:secret@'),
      www: fc.constantFrom('', 'www.', 'WWW.', 'a.b.'),
      port: fc.constantFrom('', ':80', ':8443'),
      path: fc.constantFrom('', '/', '/a/b', '?q=1', '#x', '/a?b=c#d'),
      upper: fc.boolean(),
    });
    fc.assert(
      fc.property(site, decorations, ([name, suffix], { scheme, user, www, port, path, upper }) => {
        const plain = `${name}.${suffix}`;
        const host = `${www}${upper ? plain.toUpperCase() : plain}`;
        expect(domainOf(`${scheme}${user}${host}${port}${path}`)).toBe(domainOf(plain));
      }),
    );
  });

  test('the domain of a site is the same site', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.domain()), (input) => {
        const found = siteOf(input);
        if (found.kind === 'refusal') return;
        expect(siteOf(found.domain)).toMatchObject({ domain: found.domain });
        expect(domainOfHost(found.domain)).toBe(found.domain);
        expect(found.domain).toMatch(/^[a-z0-9.-]+$/);
      }),
    );
  });

  test('no IPv4 address in any base is a found', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), fc.nat(3), (octets, base) => {
        const number = octets.reduce((sum, value) => sum * 256 + value, 0);
        const spellings = [
          octets.join('.'),
          String(number),
          `0x${number.toString(16)}`,
          octets.map((value) => `0${value.toString(8)}`).join('.'),
        ];
        expect(domainOf(spellings[base] ?? '')).toBe('ip_address');
      }),
    );
  });
});
