import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { PageFacts } from '../../../src/trust/page/facts.ts';
import { PageParser } from '../../../src/trust/page/page-parser.ts';

function factsOf(
  html: string,
  headers: Record<string, string> = {},
  size = html.length,
): PageFacts {
  const url = new URL('https://www.site.ru/dir/page');
  const parser = new PageParser({ url, redirects: [], headers });
  const bytes = Buffer.from(html);
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
  return parser.end();
}

const links = (html: string) => factsOf(html).links.map(({ domain }) => domain);

describe('the title', () => {
  test.each<[string, string | null]>([
    ['<title>Привет</title>', 'Привет'],
    ['<TITLE class=a>  При\n вет </TITLE>', 'При вет'],
    ['<title>&laquo;A&raquo; &amp; &#66;&#x43; &nosuch;</title>', '«A» & BC &nosuch;'],
    ['<title>a<b>c</title>', 'a<b>c'],
    ['<title>first</title><title>second</title>', 'first'],
    ['<svg><title>picture</title></svg><title>page</title>', 'page'],
    ['<svg><path/><body><title>page</title>', 'page'],
    ['<template><title>part</title></template><title>page</title>', 'page'],
    ['<script>var a = "<title>no</title>"</script><title>yes</title>', 'yes'],
    ['<!-- <title>no</title> --><title>yes</title>', 'yes'],
    ['<title></title>', null],
    ['<p>no title', null],
    ['<title>never closed', 'never closed'],
    ['<title>a|b\u0000c</title>', 'a|b\ufffdc'],
    ['<title>a&#0;b&#xD800;c</title>', 'a\ufffdb\ufffdc'],
  ])('of %p is %p', (html, title) => {
    expect(factsOf(html).title).toBe(title);
  });
});

describe('links', () => {
  test('are counted by registrable domain and by rel', () => {
    const {
      links: found,
      features,
      internalUrls,
    } = factsOf(`
      <a href="http://a.com/1">1</a><a href="https://www.a.com/2" rel=nofollow>2</a>
      <a href="//deep.a.com" rel="noopener UGC">3</a><a href="http://a.com" rel="sponsored nofollow">4</a>
      <a href="http://пример.рф/">5</a><a href='http://xn--e1afmkfd.xn--p1ai/b'>6</a>
      <map><area href="http://b.co.uk/x"></map>
      <a href="/own">7</a><a href="http://other.site.ru/">8</a><a href="#x">9</a><a name=x>10</a>
      <link href="http://c.com"><img src="http://d.com"><script src="http://e.com"></script>
      <a href="mailto:me@f.com">11</a><a href="javascript:g()">12</a><a href="http://1.2.3.4/">13</a>
      <a href="http://localhost/">14</a><a href="http://[::1]/">15</a><a href="http://">16</a>`);
    expect(found).toEqual([
      { domain: 'a.com', followed: 1, unfollowed: 3 },
      { domain: 'xn--e1afmkfd.xn--p1ai', followed: 2, unfollowed: 0 },
      { domain: 'b.co.uk', followed: 1, unfollowed: 0 },
    ]);
    expect(features.externalDomains).toBe(3);
    expect(internalUrls).toHaveLength(3);
  });

  test.each([
    ['ugc,nofollow', false],
    ['noopener, NoFollow', false],
    ['sponsored,ugc', false],
    ['\tnofollow\n', false],
    ['SPONSORED', false],
    ['nofollowed', true],
    ['x-ugc', true],
  ])('with rel=%p are followed: %p', (rel, isFollowed) => {
    const [followed, unfollowed] = isFollowed ? [1, 0] : [0, 1];
    expect(factsOf(`<a href="http://a.com" rel="${rel}">1</a>`).links).toEqual([
      { domain: 'a.com', followed, unfollowed },
    ]);
  });

  test('are relative to the base', () => {
    expect(links('<base href="http://other.com/dir/"><a href="x">1</a><a href="/y">2</a>')).toEqual(
      ['other.com'],
    );
    expect(links('<base target=_top><base href="//b.com"><base href="//c.com"><a href=x>')).toEqual(
      ['b.com'],
    );
    expect(links('<base href="javascript:x"><a href="http://a.com">')).toEqual(['a.com']);
    expect(factsOf('<base href="/other/"><a href="x#y">').internalUrls).toEqual([
      'https://www.site.ru/other/x',
    ]);
  });

  test('within the site are listed for a crawler', () => {
    const { internalUrls } = factsOf(
      '<a href="a"><a href="a#b"><a href="/c?d=e"><a href="http://shop.site.ru/"><a href="http://x.com">',
    );
    expect(internalUrls).toEqual([
      'https://www.site.ru/dir/a',
      'https://www.site.ru/c?d=e',
      'http://shop.site.ru/',
    ]);
  });

  test.each([
    ['<a href="http://a.com/?b=1&amp;c=2">', ['a.com']],
    ['<A HREF=http://a.com>', ['a.com']],
    ["<a\nhref\n=\n'http://a.com'>", ['a.com']],
    ['<a href=" \thttp://a.com\n ">', ['a.com']],
    ['<a href="ht\ntp://a.com">', ['a.com']],
    ['<a href="http://a.com" href="http://b.com">', ['a.com']],
    ['<a data-href="http://a.com">', []],
    ['<!-- <a href="http://a.com"> -->', []],
    ['<script>"<a href=http://a.com>"</script>', []],
    ['<textarea><a href="http://a.com"></textarea>', []],
    ['<a href="http://a.com"><a href="http://b.com">', ['a.com', 'b.com']],
    ['<a href="http://a.com', []],
  ])('are found in %p', (html, domains) => {
    expect(links(html)).toEqual(domains);
  });

  test('all count as nofollow on a page with nofollow', () => {
    for (const facts of [
      factsOf('<meta name=robots content="noindex, nofollow"><a href="http://a.com">'),
      factsOf('<meta name="ROBOTS" content="NONE"><a href="http://a.com">'),
      factsOf('<a href="http://a.com">', { 'x-robots-tag': 'noindex, nofollow' }),
    ]) {
      expect(facts.nofollow).toBe(true);
      expect(facts.links).toEqual([{ domain: 'a.com', followed: 0, unfollowed: 1 }]);
    }
  });
});

describe('X-Robots-Tag', () => {
  test.each([
    ['nofollow', true],
    ['NoFollow', true],
    ['NoIndex', false],
    ['otherbot: noindex, nofollow', false],
    ['otherbot: noindex, ZastavaBot: nofollow', true],
    ['otherbot: nofollow, ZastavaBot: noindex', false],
    ['zastavabot: none', true],
    ['nofollow, otherbot: noindex', true],
    ['unavailable_after: Saturday, 25-Jun-10 15:00:00 PST, nofollow', true],
    ['max-snippet: 20, nofollow', true],
  ])('%s means nofollow: %p', (header, nofollow) => {
    expect(factsOf('<p>', { 'x-robots-tag': header }).nofollow).toBe(nofollow);
  });
});

describe('the facts', () => {
  test('include language and refresh', () => {
    const facts = factsOf(`<html lang="RU_ru"><link rel="stylesheet" href="/s">
      <meta http-equiv=refresh content="5; URL='http://new.ru/'">`);
    expect(facts).toMatchObject({
      language: 'ru-ru',
      refresh: 'http://new.ru/',
    });
    expect(
      factsOf('<html lang="<script>"><meta http-equiv=content-language content=de>'),
    ).toMatchObject({
      language: 'de',
      refresh: null,
    });
  });

  test.each<[string, string | null, string]>([
    ['<html lang="EN-gb" xml:lang="fr">', 'en-gb', 'de'],
    ['<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="uk">', 'uk', 'de'],
    ['<html lang="">', 'de', 'de'],
    ['<html lang="und"><meta property="og:locale" content="pl_PL">', 'pl-pl', ''],
    ['<meta property="og:locale" content="pl_PL">', 'de', 'de'],
    [
      '<meta property="og:locale" content="pl_PL"><meta http-equiv=content-language content=cs>',
      'cs',
      '',
    ],
    ['<p>', null, 'de, en'],
    ['<p>', null, 'x'],
  ])('include the language of %p: %p', (html, language, header) => {
    const { language: found, languageSource } = factsOf(html, { 'content-language': header });
    expect([found, languageSource]).toEqual([language, language && 'declared']);
  });

  test('include whether the site says who is behind it', () => {
    const { pages } = factsOf(`<a href="tel:+7495">Звоните</a> <a href="/o">О нас</a>
      <a href="https://help.site.ru/contacts/">Где мы</a> <a href="/c2"> Контакты </a>
      <a href="https://policies.google.com/privacy">Privacy Policy</a>
      <a href="/docs/1.pdf">Политика <b>конфиденциальности</b></a><a href="/about/impressum.html">§</a>`);
    expect(pages).toEqual({
      contact: 'https://help.site.ru/contacts/',
      privacy: 'https://www.site.ru/docs/1.pdf',
      imprint: 'https://www.site.ru/about/impressum.html',
    });
    const only = factsOf(
      '<a href="/contact-lenses">Contact lenses</a><a href="mailto:a@b.ru">a</a>',
    );
    expect(only.pages).toEqual({ contact: 'mailto:a@b.ru', privacy: null, imprint: null });
    const none = factsOf('<a href="javascript:contact()">Contacts</a><a href="/privacies">a</a>');
    expect(none.pages).toEqual({ contact: null, privacy: null, imprint: null });
  });

  test.each([
    ['<!doctype html><p>hello', true],
    ['<a href="/x">x</a>', true],
    ['{"json": "<nothing>"}', false],
    ['%PDF-1.4 \u0000\u0001', false],
    ['', false],
    ['plain text', false],
  ])('tell whether %p is HTML: %p', (html, expected) => {
    expect(factsOf(html).html).toBe(expected);
  });
});

describe('features', () => {
  test('count hidden links', () => {
    const hiding = [
      '<div style="display:none"><p>x<a href="http://a.com">a</a></div>',
      '<span style="Visibility: Hidden"><a href="http://a.com">a</a></span>',
      '<a href="http://a.com" style="font-size:0">a</a>',
      '<div style="position:absolute; left:-9999px"><div></div><a href="http://a.com">a</a></div>',
      '<div hidden><a href="http://a.com">a</a></div>',
      '<p style="text-indent: -5000px"><a href="http://a.com">a</a><p><a href="http://b.com">b</a>',
    ];
    for (const html of hiding)
      expect([html, factsOf(html).features.hiddenLinks]).toEqual([html, 1]);
    const shown = [
      '<div style="display:none">x</div><a href="http://a.com">a</a>',
      '<br style="display:none"><a href="http://a.com">a</a>',
      '<div style="font-size:0.9em;opacity:0.5;left:-9px"><a href="http://a.com">a</a></div>',
      '<div style="display:none"><div></div></div><a href="http://a.com">a</a>',
      '<div hidden><a href="/own">own</a></div>',
    ];
    for (const html of shown) expect([html, factsOf(html).features.hiddenLinks]).toEqual([html, 0]);
  });

  test('count the links that share their text with a link to another site', () => {
    const { features } = factsOf(`<p>Some text of the page itself.</p>
      <a href="http://a.com">лучшее казино</a> <a href="http://b.com">лучшее казино</a>
      <a href="http://c.com">good</a> <a href="http://d.com"><img alt=x></a>`);
    expect(features.repeatedAnchorShare).toBeCloseTo(2 / 3);
  });

  test('are in range for any page, however its bytes are cut', () => {
    const tags = fc.constantFrom(
      '<a href="http://a.com">',
      '</a>',
      '<div hidden>',
      '</div>',
      '<p>',
      'казино',
      'text ',
      '<',
      '<title>',
      '</title>',
      '<svg>',
      '</svg>',
      '<script>',
      '</script>',
      '"',
      '>',
      '<!--',
      '-->',
      '<base href="//b.ru/">',
      '<a href=x rel=ugc>',
      '&amp;',
      '&#x41;',
      '<template>',
      '<![CDATA[',
    );
    const html = fc.array(fc.oneof(tags, fc.string()), { maxLength: 60 });
    fc.assert(
      fc.property(html, fc.integer({ min: 1, max: 100 }), (pieces, size) => {
        const page = pieces.join('');
        const facts = factsOf(page);
        for (const [name, value] of Object.entries(facts.features)) {
          expect(value).toBeGreaterThanOrEqual(0);
          if (name.endsWith('Share')) expect(value).toBeLessThanOrEqual(1);
        }
        // How the bytes are cut must not matter.
        const cut = factsOf(page, {}, size);
        expect(cut).toEqual(facts);
      }),
      { numRuns: 500 },
    );
  });
});
