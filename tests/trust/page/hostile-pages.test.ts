/** Hostile pages: each is parsed in bounded memory, and each gives a result. */
import { heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import type { PageFacts } from '../../../src/trust/page/facts.ts';
import { FETCH_LIMITS, KIB, MIB } from '../../../src/trust/page/limits.ts';
import { LINKS_MAX } from '../../../src/trust/page/links.ts';
import { PageParser } from '../../../src/trust/page/page-parser.ts';
import { languageOfText } from '../../../src/trust/page/text-language.ts';
import { legacyTitle } from '../../../src/trust/page/title.ts';
import { createWorld, page, readPage } from './world.ts';

/** The memory that a parser may keep in use; a tree of these pages would take many times as much. */
const LIVE_BYTES_MAX = 8 * MIB;
const SLICE_BYTES = 128 * KIB;
/** The reader takes no more of a page. */
const PAGE_BYTES_MAX = FETCH_LIMITS.decodedBytesMax;
const url = new URL('http://site.ru/');

/** Bytes in use. Garbage depends on the machine and does not count. */
function liveBytes(): number {
  Bun.gc(true);
  return heapStats().heapSize;
}

/** Parses a page slice by slice, and measures the memory while the parser holds all that it keeps. */
function parseHostile(html: () => string): PageFacts {
  const bytes = bytesOf(html).subarray(0, PAGE_BYTES_MAX);
  const headers = { 'content-type': 'text/html' };
  const parser = new PageParser({ url, headers, redirects: [] });
  const before = liveBytes();
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    parser.push(bytes.subarray(from, from + SLICE_BYTES));
  }
  expect(liveBytes() - before).toBeLessThan(LIVE_BYTES_MAX);
  const facts = parser.end();
  languageOfText(parser.text);
  return facts;
}

/** The text itself must be garbage before the parser starts. */
function bytesOf(html: () => string): Buffer {
  return Buffer.from(html());
}

describe('a page is parsed in bounded memory with', () => {
  test('400,000 links', () => {
    const link = (_: unknown, index: number) => `<a href=//x${index}.ru>`;
    const facts = parseHostile(
      () => `<title>links</title>${Array.from({ length: 400_000 }, link).join('')}`,
    );
    expect(facts.title).toBe('links');
    expect(facts.links.length).toBe(LINKS_MAX);
  });

  test('8,000 links to long addresses within the site', () => {
    const long = 'a'.repeat(900);
    const link = (_: unknown, index: number) => `<a href="/${long}${index}">x</a>`;
    const facts = parseHostile(() => Array.from({ length: 8_000 }, link).join(''));
    expect(JSON.stringify(facts).length).toBeLessThan(2 * MIB);
  });

  test.each<[string, string, string]>([
    ['elements', '<b>', ''],
    ['hidden elements', '<div style="display:none">', '</div>'],
    ['closing tags of none', '<b>', '</i>'],
    ['links', '<a href="//x.ru">', '</a>'],
    ['pictures in pictures', '<svg>', '</svg>'],
    ['tables', '<table><tr><td>', ''],
    ['forms', '<form>', '</form>'],
  ])('%s nested up to 1,000,000 deep', (_, open, close) => {
    const most = Math.floor((PAGE_BYTES_MAX - 100) / (open.length + close.length));
    const depth = Math.min(1_000_000, most);
    const facts = parseHostile(
      () => `<title>deep</title>${open.repeat(depth)}${close.repeat(depth)}<p>end`,
    );
    expect(facts.title).toBe('deep');
  });

  test.each<[string, () => string]>([
    ['a title without an end', () => `<title>${'word '.repeat(2 * MIB)}`],
    ['an attribute without an end', () => `<title>x</title><a href="${'a'.repeat(9 * MIB)}`],
    ['a tag name without an end', () => `<title>x</title><${'a'.repeat(9 * MIB)}`],
    ['an attribute name without an end', () => `<title>x</title><p ${'a'.repeat(9 * MIB)}`],
    ['a comment without an end', () => `<title>x</title><!--${'-'.repeat(9 * MIB)}`],
    ['a declaration without an end', () => `<!DOCTYPE ${'a'.repeat(9 * MIB)}`],
    ['a script without an end', () => `<title>x</title><script>${'</scrip'.repeat(MIB)}`],
    ['2,000,000 attributes', () => `<title>x</title><p ${'a '.repeat(4 * MIB)}>`],
    ['2,000,000 wanted attributes', () => `<title>x</title><p ${'href=a rel=b '.repeat(700_000)}>`],
    [
      '2,000,000 character references',
      () => `<title>${'&lt;&#1234567;&#x1f600;'.repeat(400_000)}</title>`,
    ],
    ['2,000,000 half references', () => `<title>x</title>${'&am'.repeat(3 * MIB)}`],
    ['less-than signs', () => `<title>x</title>${'<'.repeat(9 * MIB)}`],
    ['styles', () => `<title>x</title>${'<p style="display:   n">'.repeat(400_000)}`],
    ['long styles', () => `<title>x</title>${`<p style="${'left: '.repeat(600)}">`.repeat(2_000)}`],
    ['metas', () => `<title>x</title>${'<meta name=robots content="a,b,c;d:e">'.repeat(200_000)}`],
    [
      'scripts from anywhere',
      () => `<title>x</title>${'<script src="//x.ru/a"></script>'.repeat(250_000)}`,
    ],
    ['half a parking page', () => `<title>x</title>${'домен '.repeat(700_000)}`],
    ['half a sentence', () => `<title>x</title>${'this domain '.repeat(700_000)}`],
    ['white space', () => `<title>x</title>${' \n\t'.repeat(3 * MIB)}`],
  ])('%s', (_, html) => {
    const facts = parseHostile(html);
    expect(facts.html || facts.title === null).toBe(true);
    expect(Array.from(facts.title ?? '').length).toBeLessThanOrEqual(300);
  });
});

/** The facts that a reader finds in a page. */
async function factsOf(html: string | Uint8Array, type = 'text/html'): Promise<PageFacts> {
  await using world = createWorld();
  await world.serve('site.ru', page(html, type));
  world.start();
  return (await readPage(world.reader, 'site.ru')).facts;
}

describe('the title is well-formed with', () => {
  test('field separators, line ends and direction characters', async () => {
    const facts = await factsOf('<title>a|b\r\nc\u2028d\u202ee&#124;f&#10;g\u0000h</title>');
    expect(legacyTitle(facts.title ?? '')).toBe('a¦b c de¦f g\ufffdh');
  });

  test.each([
    'utf-7',
    'utf-16',
    'replacement',
    'x-user-defined',
    'iso-2022-kr',
    'hz-gb-2312',
    '../../etc/passwd',
    '',
    '%00',
    'a'.repeat(900),
  ])('a declared charset of any name (%#)', async (charset) => {
    const html = `<meta charset="${charset}"><title>Заголовок</title><p>Текст страницы`;
    const facts = await factsOf(html, `text/html; charset=${charset}`);
    expect((facts.title ?? '').isWellFormed()).toBe(true);
  });

  test('bytes that are invalid in every encoding', async () => {
    const noise = crypto.getRandomValues(new Uint8Array(65_536));
    const html = Buffer.concat([
      Buffer.from('<html><title>'),
      ...Array.from({ length: 30 }, () => noise),
    ]);
    const facts = await factsOf(html);
    expect(facts.html).toBe(true);
    expect((facts.title ?? '').isWellFormed()).toBe(true);
  });
});

/** The index of the behaviour of a site that does not answer. */
const SILENT = 2;

test('each of a hundred concurrent hostile sites gets a result', async () => {
  await using world = createWorld();
  const silent: Socket[] = [];
  const domains = Array.from({ length: 100 }, (_, index) => `site${index}.ru`);
  const behaviours: ((host: string) => Promise<void>)[] = [
    (host) => world.serve(host, page('<b>'.repeat(100_000))),
    (host) => world.serveRaw(host, (socket) => socket.destroy()),
    (host) => world.serveRaw(host, (socket) => void silent.push(socket)),
    (host) => world.serveRaw(host, (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n<p>')),
    (host) =>
      world.serve(host, (_, response) => {
        response.writeHead(302, { location: `http://${host}/${Math.random()}` }).end();
      }),
  ];
  for (const [index, domain] of domains.entries()) {
    await behaviours[index % behaviours.length]?.(domain);
  }
  // On a busy machine no timeout may end a merely slow site. The silent ones end when all others have.
  world.start({ headersTimeoutMs: 600_000, totalTimeoutMs: 600_000 });
  const reads = domains.map((domain) => world.reader.read({ domain }));
  await Promise.all(reads.filter((_, index) => index % behaviours.length !== SILENT));
  for (const socket of silent) socket.destroy();
  const results = await Promise.all(reads);
  expect(results.map(({ domain }) => domain)).toEqual(domains);
  // The first and fourth kinds give pages, if poor ones.
  expect(results.map(({ ok }) => ok)).toEqual(
    domains.map((_, index) => index % 5 === 0 || index % 5 === 3),
  );
});
