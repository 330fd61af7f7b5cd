import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import robotsParser from 'robots-parser';
import { isAllowed, parseRobots } from '../../../src/trust/page/robots-rules.ts';

const TOKEN = 'ZastavaBot';

function allows(robots: string, path: string): boolean {
  return isAllowed(parseRobots(robots, TOKEN), new URL(path, 'http://a.example'));
}

describe('rules', () => {
  test.each<[string, string, string, boolean]>([
    ['nothing', '', '/', true],
    ['an empty rule', 'User-agent: *\nDisallow:', '/', true],
    ['all', 'User-agent: *\nDisallow: /', '/', false],
    ['another crawler', 'User-agent: Other\nDisallow: /', '/', true],
    ['us by name', 'User-agent: ZastavaBot\nDisallow: /', '/', false],
    ['us in another case, with a version', 'user-agent: zastavabot/2.1\ndisallow: /', '/', false],
    ['a longer name', 'User-agent: ZastavaBotNews\nDisallow: /', '/', true],
    [
      'our group before the common one',
      'User-agent: *\nDisallow: /\n\nUser-agent: ZastavaBot\nAllow: /',
      '/',
      true,
    ],
    [
      'our empty group',
      'User-agent: *\nDisallow: /\n\nUser-agent: ZastavaBot\nDisallow:',
      '/',
      true,
    ],
    [
      'several names to a group',
      'User-agent: A\nUser-agent: ZastavaBot\nUser-agent: B\nDisallow: /',
      '/',
      false,
    ],
    [
      'names with blank lines between',
      'User-agent: A\n\n\nUser-agent: ZastavaBot\nDisallow: /',
      '/',
      false,
    ],
    [
      'groups of one name are one',
      'User-agent: ZastavaBot\nDisallow: /a\nUser-agent: B\nDisallow: /\nUser-agent: ZastavaBot\nDisallow: /b',
      '/b',
      false,
    ],
    ['a rule without a group', 'Disallow: /\nUser-agent: Other\nDisallow: /x', '/', true],
    ['a sitemap inside a group', 'User-agent: *\nSitemap: http://a/\nDisallow: /', '/', false],
    ['comments', '# all\nUser-agent: * # everyone\nDisallow: / # but', '/', false],
    ['carriage returns alone', 'User-agent: *\rDisallow: /', '/', false],
    ['no space, tabs', 'user-agent:*\n\tdisallow:\t/', '/', false],
    ['a byte order mark', '\ufeffUser-agent: *\nDisallow: /', '/', false],
    ['a prefix', 'User-agent: *\nDisallow: /a', '/abc', false],
    ['case matters', 'User-agent: *\nDisallow: /A', '/a', true],
    ['the longest wins', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['the longest wins, in any order', 'User-agent: *\nAllow: /a/b\nDisallow: /a', '/a/c', false],
    ['on a tie, allow', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['a wildcard', 'User-agent: *\nDisallow: /*.pdf', '/x/y.pdf?z', false],
    ['an end', 'User-agent: *\nDisallow: /*.pdf$', '/x/y.pdf?z', true],
    ['an end that fits', 'User-agent: *\nDisallow: /*.pdf$', '/x.pdf.pdf', false],
    ['the root alone', 'User-agent: *\nDisallow: /$', '/', false],
    ['the root alone, elsewhere', 'User-agent: *\nDisallow: /$', '/a', true],
    ['the query', 'User-agent: *\nDisallow: /*?*session=', '/a?b=1&session=2', false],
    ['escapes of letters', 'User-agent: *\nDisallow: /%61%2Fb', '/a%2fb', false],
    ['no colon', 'User-agent *\nDisallow /', '/', false],
    ['no colon, three words', 'User-agent: *\nDisallow / now', '/', true],
    ['no hyphen', 'useragent: *\nDisallow: /', '/', false],
    ['a space for the hyphen', 'User agent: *\nDisallow: /', '/', false],
    ['disallow, written wrong', 'User-agent: *\nDissalow: /a\nDiasllow: /b', '/b', false],
    ['a longer field', 'User-agent: *\nDisallowed: /', '/', false],
    ['everyone, with a remark', 'User-agent: * (all)\nDisallow: /', '/', false],
    ['an index page', 'User-agent: *\nDisallow: /\nAllow: /a/index.html', '/a/', true],
    ['an index page is no prefix', 'User-agent: *\nDisallow: /\nAllow: /index.htm', '/b', false],
    ['an endless line', `User-agent: *\nDisallow: /${'a'.repeat(20_000)}`, '/', true],
    ['Cyrillic', 'User-agent: *\nDisallow: /о-нас', '/о-нас/мы', false],
    ['Cyrillic in escapes', 'User-agent: *\nDisallow: /%d0%be', '/о', false],
  ])('%s', (_, robots, path, allowed) => {
    expect(allows(robots, path)).toBe(allowed);
  });

  test('include the crawl delay', () => {
    expect(parseRobots('User-agent: *\nCrawl-delay: 2.5', TOKEN).crawlDelaySeconds).toBe(2.5);
    for (const value of ['', 'soon', '-1', 'NaN']) {
      const robots = `User-agent: *\nCrawl-delay: ${value}`;
      expect(parseRobots(robots, TOKEN).crawlDelaySeconds).toBeNull();
    }
  });
});

test('the rules agree with robots-parser', () => {
  const piece = fc.stringMatching(/^[ab/*]{0,6}$/);
  const pattern = fc.tuple(piece, fc.boolean()).map(([text, end]) => `/${text}${end ? '$' : ''}`);
  const rule = fc
    .tuple(fc.constantFrom('Allow', 'Disallow'), fc.oneof(pattern, fc.constant('')))
    .map(([name, value]) => `${name}: ${value}`);
  const group = fc
    .tuple(
      fc.array(fc.constantFrom('*', 'ZastavaBot', 'Other'), { minLength: 1, maxLength: 3 }),
      fc.array(rule, { minLength: 1, maxLength: 5 }),
    )
    .map(([names, rules]) => [...names.map((name) => `User-agent: ${name}`), ...rules].join('\n'));
  const file = fc.array(group, { maxLength: 4 }).map((groups) => groups.join('\n\n'));
  const path = fc.stringMatching(/^[ab/]{0,8}$/).map((text) => `/${text}`);
  fc.assert(
    fc.property(file, path, (robots, rest) => {
      // Two slashes at the start would name a host.
      const url = `http://a.example${rest}`;
      const theirs = robotsParser('http://a.example/robots.txt', robots).isAllowed(url, TOKEN);
      expect(isAllowed(parseRobots(robots, TOKEN), new URL(url))).toBe(theirs ?? true);
    }),
    { numRuns: 2_000 },
  );
});

describe('hostile files are read in linear time', () => {
  const size = 500 * 1_024;

  test.each<[string, string]>([
    ['many names, many rules', 'User-agent: a\n'.repeat(15_000) + 'Disallow: /x\n'.repeat(20_000)],
    ['many wildcards', `User-agent: *\nDisallow: /${'*a'.repeat(size / 2)}`],
    ['many rules with wildcards', `User-agent: *\n${'Disallow: /*a*a*a*b$\n'.repeat(20_000)}`],
    ['no line ends', 'User-agent: '.repeat(40_000)],
    ['only line ends', '\n'.repeat(size)],
    ['only colons', ':'.repeat(size)],
    ['only escapes', `User-agent: *\nDisallow: ${'%41'.repeat(150_000)}`],
  ])('%s', (_, robots) => {
    const rules = parseRobots(robots, TOKEN);
    expect(isAllowed(rules, new URL(`http://a.example/${'a'.repeat(2_000)}`))).toBeBoolean();
  });

  test('any text can be parsed', () => {
    const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(anyText, (text) => {
        expect(allows(`User-agent: *\nDisallow: ${text}`, '/path')).toBeBoolean();
        expect(allows(text, '/path')).toBeBoolean();
      }),
    );
  });
});
