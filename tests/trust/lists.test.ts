/** Lists of sites in the formats in which they are published. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatOf, listFormats, type ListFormat } from '../../src/trust/lists/formats.ts';
import { readLines, readList } from '../../src/trust/lists/read-list.ts';
import { failure } from '../support/failure.ts';

const samples: Record<ListFormat, string> = {
  lines: '# spam\nexample.com\n\nhttp://WWW.пример.рф/a # seen in May\nsub.third.org\n',
  hosts:
    '# Title\n127.0.0.1 localhost\n::1 ip6-localhost\n0.0.0.0 0.0.0.0\n0.0.0.0 example.com www.third.org # ads\n::\tпример.рф\n',
  adblock:
    '[Adblock Plus 2.0]\n! Title\n||example.com^\n||third.org^$third-party,important\n||xn--e1afmkfd.xn--p1ai^\n',
  csv: '"Source URL";Score\nhttps://www.example.com/;1\n"third.org";"a ""b""\nc"\nпример.рф;2\n',
  tranco: '1,example.com\r\n2,third.org\r\n3,xn--e1afmkfd.xn--p1ai\r\n',
};
const domains = ['example.com', 'third.org', 'xn--e1afmkfd.xn--p1ai'];

describe("a list's format is recognised", () => {
  test.each(listFormats.map((format) => [format]))('as %s', async (format) => {
    const read = await readList(samples[format]);
    expect({ ...read, domains: read.domains.toSorted() }).toEqual({
      format,
      domains,
      bad: [],
      badCount: 0,
    });
    expect(await readList(`\uFEFF${samples[format]}`, format)).toMatchObject({ badCount: 0 });
  });

  test.each<[string, ListFormat]>([
    ['', 'lines'],
    ['example.com', 'lines'],
    ['one.com\ntwo.com\n1,three.com', 'lines'],
    ['domain\nexample.com', 'csv'],
    ['rank\tdomain\n1\texample.com', 'csv'],
    ['# list\n0.0.0.0 a.com', 'hosts'],
    ['a.com##.ad\n||b.com^\n||c.com/x', 'adblock'],
  ])('%p: %s', (text, format) => expect(formatOf(text)).toBe(format));
});

describe('a line that names no whole site is reported', () => {
  test.each<[ListFormat, string, string]>([
    ['hosts', '0.0.0.0 ads.example.com', 'names a host of example.com, not the whole site'],
    ['hosts', 'example.com', 'not "address name", such as "0.0.0.0 example.com"'],
    ['hosts', '0.0.0.0 router', 'give a full domain such as example.com'],
    ['adblock', '||ads.example.com^', 'names a host of example.com, not the whole site'],
    ['adblock', '||example.com^$domain=a.com', 'a rule for some requests only'],
    ['adblock', '@@||example.com^', 'an exception from the rules'],
    ['adblock', '||example.com/ads^', 'not a rule for a domain: "||example.com^"'],
    ['adblock', 'example.com##.ad', 'not a rule for a domain: "||example.com^"'],
    ['adblock', '##.ad', 'not a rule for a domain: "||example.com^"'],
    ['tranco', '1;example.com', 'not "rank,domain", such as "1,example.com"'],
    [
      'tranco',
      '1,com',
      'give a domain below the public suffix, such as example.com instead of com',
    ],
    ['lines', 's3.amazonaws.com', 'give a domain below the public suffix'],
  ])('%s: %p', async (format, text, message) => {
    const { bad, badCount } = await readList(`\n${text}\n`, format);
    expect([bad, badCount]).toEqual([[{ line: 2, text, message: expect.any(String) }], 1]);
    expect(bad[0]?.message).toStartWith(message);
  });

  test('in CSV, with its line', async () => {
    const text = 'id,url\n1,https://example.com/page\n2,\n3,"a.com"\n4,"x\ny"\n5,10.0.0.1';
    const { domains: found, bad } = await readList(text);
    expect(found).toEqual(['a.com']);
    expect(bad.map(({ line, message }) => [line, message.slice(0, 22)])).toEqual([
      [2, 'names a page of exampl'],
      [3, 'no domain in its colum'],
      [5, 'give a full domain suc'],
      [7, 'give a domain instead '],
    ]);
    expect(await failure(readList('a,b\n1,2', 'csv'))).toMatchObject({ code: 'invalid_request' });
    expect(await failure(readList('domain\n"a', 'csv'))).toMatchObject({
      message: 'the list is not CSV: line 2: a quote is not closed',
    });
  });

  test('and a platform is a site', async () => {
    expect(readLines('github.io\nme.github.io').domains).toEqual(['github.io', 'me.github.io']);
    expect((await readList('1,github.io', 'tranco')).domains).toEqual(['github.io']);
  });

  test('the first thousand with their text, the others by their count', () => {
    const { bad, badCount } = readLines('nothing\n'.repeat(1_234));
    expect([bad.length, badCount]).toEqual([1_000, 1_234]);
  });
});

const name = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9]{2,12}$/), fc.constantFrom('org', 'ru', 'co.uk', 'io'))
  .map((parts) => parts.join('.'))
  .filter((domain) => readLines(domain).domains[0] === domain);
const written: Record<ListFormat, (domain: string, at: number) => string> = {
  lines: (domain) => domain,
  hosts: (domain) => `0.0.0.0 ${domain}`,
  adblock: (domain) => `||${domain}^`,
  csv: (domain, at) => (at === 0 ? `rank,"domain"\n${at},${domain}` : `${at},"${domain}"`),
  tranco: (domain, at) => `${at + 1},${domain}`,
};

test('in each format, any list gives its domains and its bad lines', async () => {
  const list = fc.uniqueArray(name, { minLength: 1, maxLength: 30 });
  const ending = fc.constantFrom('\n', '\r\n');
  await fc.assert(
    fc.asyncProperty(list, ending, fc.constantFrom(...listFormats), async (names, end, format) => {
      const lines = names.map(written[format]);
      const text = [...lines, format === 'csv' ? '0,nothing' : 'nothing', ''].join(end);
      const read = await readList(text, format);
      expect([read.domains, read.badCount]).toEqual([names, 1]);
      if (names.length > 1) expect(formatOf(text)).toBe(format);
    }),
  );
});

test('no line is lost: it names a site, or is reported', async () => {
  const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => {
    return text.trim() !== '' && !/[\r\n\uFEFF#![]|local|\d/.test(text);
  });
  const formats = fc.constantFrom<ListFormat>('lines', 'hosts', 'adblock', 'tranco');
  await fc.assert(
    fc.asyncProperty(line, formats, async (text, format) => {
      const read = await readList(text, format);
      expect(read.domains.length + read.badCount).toBeGreaterThan(0);
    }),
  );
});
