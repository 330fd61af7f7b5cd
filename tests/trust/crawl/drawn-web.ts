import { page, redirect, type Pages } from './web.ts';

/**
 * Ten sites, drawn by hand. Edges that carry trust are those of `drawnEdges`; the rest are links that must
 * not count: within a site, nofollow, ugc and sponsored, from pages that robots.txt forbids, from errors.
 */
export const drawnPages: Pages = {
  // Links twice to beta from two pages, to a subdomain of its own, and to an unreachable site.
  'alpha.ru/': page(
    '/about',
    'http://blog.alpha.ru/',
    'http://beta.com/x',
    'http://www.alpha.ru/about',
    'http://gone.net/',
    'http://gamma.org/ nofollow',
    'mailto:me@beta.com',
    '/secret/page',
  ),
  'alpha.ru/about': page('http://shop.beta.com/', '/', 'https://xn--e1afmkfd.xn--p1ai/'),
  'alpha.ru/robots.txt': 'User-agent: *\nDisallow: /secret/\n',
  'alpha.ru/secret/page': page('http://delta.co.uk/'),
  'blog.alpha.ru/': page('http://gamma.org/'),
  'www.alpha.ru/about': page('http://beta.com/'),

  // Two sites under one suffix whose owner hands out domains, and one under a country's suffix of two labels.
  'beta.com/': page('http://me.github.io/', 'http://you.github.io/', 'http://delta.co.uk/shop'),
  'beta.com/x': page('http://me.github.io/ sponsored'),
  'me.github.io/': page('http://you.github.io/', 'http://beta.com/ ugc'),
  'you.github.io/': page('http://alpha.ru/'),
  'delta.co.uk/': page(
    'http://ALPHA.ru./',
    'http://127.0.0.1/',
    'http://localhost/',
    'ftp://beta.com/',
  ),

  // Cyrillic, linked to in both spellings.
  'xn--e1afmkfd.xn--p1ai/': page(
    'http://alpha.ru/',
    'http://другой.рф/',
    'http://xn--c1abqtis.xn--p1ai/',
  ),
  'xn--c1abqtis.xn--p1ai/': page('http://пример.рф/'),

  // Its robots.txt forbids everything; its links are not known.
  'gamma.org/robots.txt': 'User-agent: ZastavaBot\nDisallow: /\n',
  'gamma.org/': page('http://beta.com/'),

  // Moved to another domain: the redirect is followed, but is no link.
  'old.info/': redirect('http://epsilon.info/'),
  'epsilon.info/': page('http://old.info/', 'http://delta.co.uk/'),
};

export const drawnSeeds = ['alpha.ru', 'old.info'];

export const drawnEdges: readonly (readonly [from: string, to: string])[] = [
  ['alpha.ru', 'beta.com'],
  ['alpha.ru', 'gamma.org'],
  ['alpha.ru', 'gone.net'],
  ['alpha.ru', 'xn--e1afmkfd.xn--p1ai'],
  ['beta.com', 'delta.co.uk'],
  ['beta.com', 'me.github.io'],
  ['beta.com', 'you.github.io'],
  ['delta.co.uk', 'alpha.ru'],
  ['epsilon.info', 'delta.co.uk'],
  ['epsilon.info', 'old.info'],
  ['me.github.io', 'you.github.io'],
  ['xn--c1abqtis.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
  ['xn--e1afmkfd.xn--p1ai', 'alpha.ru'],
  ['xn--e1afmkfd.xn--p1ai', 'xn--c1abqtis.xn--p1ai'],
  ['you.github.io', 'alpha.ru'],
];

/** Every page of the web that a polite crawl requests, each once. */
export const drawnVisits = [
  'alpha.ru/',
  'alpha.ru/about',
  'beta.com/',
  'blog.alpha.ru/',
  'delta.co.uk/',
  'epsilon.info/',
  'me.github.io/',
  'old.info/',
  'www.alpha.ru/about',
  'xn--c1abqtis.xn--p1ai/',
  'xn--e1afmkfd.xn--p1ai/',
  'you.github.io/',
];
