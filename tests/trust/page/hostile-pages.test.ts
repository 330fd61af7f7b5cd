/** Hostile pages: each gives a result, in bounded memory. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { MIB } from '../../../src/trust/page/limits.ts';
import { LINKS_MAX } from '../../../src/trust/page/links.ts';
import type { PageRead } from '../../../src/trust/page/page-reader.ts';
import { languageOfText } from '../../../src/trust/page/text-language.ts';
import { legacyTitle } from '../../../src/trust/page/title.ts';
import { createWorld, page, readPage } from './world.ts';

// Pages of 10 MB and more are made and compressed here, perhaps on a busy machine.
setDefaultTimeout(60_000);

// A process loads its tables of languages once, and no page makes them grow: they are not measured.
beforeAll(() => void languageOfText(''));

/** Reads a page that is compressed on its way, and looks at the memory it takes. */
async function readHostile(html: string | Uint8Array): Promise<PageRead> {
  await using world = createWorld();
  const body = gzipSync(html, { level: 1 });
  await world.serve('site.ru', (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else {
      const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
      response.writeHead(200, headers).end(body);
    }
  });
  // Compressed tenfold again and again, these would be bombs; here it is the parser that is tested.
  world.start({ ratioMax: 1_000_000 });
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const read = await readPage(world.reader, 'site.ru');
  // Twice what a page takes before its garbage is collected; a tree of these would be gigabytes.
  expect(process.memoryUsage().rss - before).toBeLessThan(256 * MIB);
  return read;
}

describe('a page is read in bounded memory with', () => {
  test('1,000,000 links', async () => {
    const many = Array.from({ length: 1_000_000 }, (_, index) => `<a href=//x${index}.ru>`);
    const read = await readHostile(`<title>links</title>${many.join('')}`);
    expect(read.facts.title).toBe('links');
    expect(read.facts.links.length).toBe(LINKS_MAX);
  });

  test('1,000,000 links to long addresses within the site', async () => {
    const long = 'a'.repeat(900);
    const many = Array.from({ length: 8_000 }, (_, index) => `<a href="/${long}${index}">x</a>`);
    const read = await readHostile(many.join(''));
    expect(JSON.stringify(read).length).toBeLessThan(2 * MIB);
  });

  test.each<[string, string, string]>([
    ['elements', '<b>', ''],
    ['hidden elements', '<div style="display:none">', '</div>'],
    ['closing tags of none', '<b>', '</i>'],
    ['links', '<a href="//x.ru">', '</a>'],
    ['pictures in pictures', '<svg>', '</svg>'],
    ['tables', '<table><tr><td>', ''],
    ['forms', '<form>', '</form>'],
  ])('%s nested 1,000,000 deep', async (_, open, close) => {
    const depth = 1_000_000;
    const read = await readHostile(
      `<title>deep</title>${open.repeat(depth)}${close.repeat(depth)}<p>end`,
    );
    expect(read.facts.title).toBe('deep');
  });

  test.each<[string, string]>([
    ['a title without an end', `<title>${'word '.repeat(2 * MIB)}`],
    ['an attribute without an end', `<title>x</title><a href="${'a'.repeat(9 * MIB)}`],
    ['a tag name without an end', `<title>x</title><${'a'.repeat(9 * MIB)}`],
    ['an attribute name without an end', `<title>x</title><p ${'a'.repeat(9 * MIB)}`],
    ['a comment without an end', `<title>x</title><!--${'-'.repeat(9 * MIB)}`],
    ['a declaration without an end', `<!DOCTYPE ${'a'.repeat(9 * MIB)}`],
    ['a script without an end', `<title>x</title><script>${'</scrip'.repeat(MIB)}`],
    ['2,000,000 attributes', `<title>x</title><p ${'a '.repeat(4 * MIB)}>`],
    ['2,000,000 wanted attributes', `<title>x</title><p ${'href=a rel=b '.repeat(700_000)}>`],
    [
      '2,000,000 character references',
      `<title>${'&lt;&#1234567;&#x1f600;'.repeat(400_000)}</title>`,
    ],
    ['2,000,000 half references', `<title>x</title>${'&am'.repeat(3 * MIB)}`],
    ['less-than signs', `<title>x</title>${'<'.repeat(9 * MIB)}`],
    ['styles', `<title>x</title>${'<p style="display:   n">'.repeat(400_000)}`],
    ['long styles', `<title>x</title>${`<p style="${'left: '.repeat(600)}">`.repeat(2_000)}`],
    ['metas', `<title>x</title>${'<meta name=robots content="a,b,c;d:e">'.repeat(200_000)}`],
    [
      'scripts from anywhere',
      `<title>x</title>${'<script src="//x.ru/a"></script>'.repeat(250_000)}`,
    ],
    ['half a parking page', `<title>x</title>${'домен '.repeat(700_000)}`],
    ['half a sentence', `<title>x</title>${'this domain '.repeat(700_000)}`],
    ['white space', `<title>x</title>${' \n\t'.repeat(3 * MIB)}`],
  ])('%s', async (_, html) => {
    const read = await readHostile(html);
    expect(read.facts.html || html.startsWith('<!DOCTYPE')).toBe(true);
    expect(Array.from(read.facts.title ?? '').length).toBeLessThanOrEqual(300);
  });
});

describe('the title is well-formed with', () => {
  test('field separators, line ends and direction characters', async () => {
    const read = await readHostile('<title>a|b\r\nc\u2028d\u202ee&#124;f&#10;g\u0000h</title>');
    expect(legacyTitle(read.facts.title ?? '')).toBe('a¦b c de¦f g\ufffdh');
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
    await using world = createWorld();
    await world.serve('site.ru', page(html, `text/html; charset=${charset}`));
    world.start();
    const { facts } = await readPage(world.reader, 'site.ru');
    expect((facts.title ?? '').isWellFormed()).toBe(true);
  });

  test('bytes that are valid in no encoding', async () => {
    const noise = crypto.getRandomValues(new Uint8Array(65_536));
    const html = Buffer.concat([
      Buffer.from('<html><title>'),
      ...Array.from({ length: 30 }, () => noise),
    ]);
    const { facts } = await readHostile(html);
    expect(facts.html).toBe(true);
    expect((facts.title ?? '').isWellFormed()).toBe(true);
  });
});

test('each of a hundred concurrent hostile sites gets a result', async () => {
  await using world = createWorld();
  const domains = Array.from({ length: 100 }, (_, index) => `site${index}.ru`);
  const behaviours: ((host: string) => Promise<void>)[] = [
    (host) => world.serve(host, page('<b>'.repeat(100_000))),
    (host) => world.serveRaw(host, (socket) => socket.destroy()),
    (host) => world.serveRaw(host, () => {}),
    (host) => world.serveRaw(host, (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n<p>')),
    (host) =>
      world.serve(host, (_, response) => {
        response.writeHead(302, { location: `http://${host}/${Math.random()}` }).end();
      }),
  ];
  for (const [index, domain] of domains.entries()) {
    await behaviours[index % behaviours.length]?.(domain);
  }
  world.start({ headersTimeoutMs: 1_000 });
  const results = await Promise.all(domains.map((domain) => world.reader.read({ domain })));
  expect(results.map(({ domain }) => domain)).toEqual(domains);
  // The first and the fourth kind are pages, if poor ones.
  expect(results.map(({ ok }) => ok)).toEqual(
    domains.map((_, index) => index % 5 === 0 || index % 5 === 3),
  );
});
