import { describe, expect, test } from 'bun:test';
import iconv from 'iconv-lite';
import { isPassing } from '../../../src/trust/page/failures.ts';
import type { PageFailureReason } from '../../../src/trust/page/page-reader.ts';
import { certificate } from '../../support/servers.ts';
import { createWorld, page, readPage, type World } from './world.ts';

async function failureOf(
  world: World,
  domain: string,
): Promise<[PageFailureReason, number | null]> {
  const result = await world.reader.read({ domain });
  if (result.ok) throw new Error('it was read');
  expect(result).toMatchObject({ workable: false, domain });
  return [result.reason, result.status];
}

const html = '<html lang=ru><title>Главная</title><a href="http://other.ru">other</a>';

describe('a page is read', () => {
  test('into its facts', async () => {
    await using world = createWorld();
    await world.serve('site.ru', page(html));
    world.start();
    const read = await readPage(world.reader, 'site.ru');
    expect(read).toMatchObject({
      ok: true,
      domain: 'site.ru',
      fetchedAt: world.clock.time,
      status: 200,
      url: 'http://site.ru/',
      sameDomain: true,
      workable: true,
      facts: { title: 'Главная', language: 'ru', links: [{ domain: 'other.ru' }] },
    });
    expect(world.requests).toEqual(['site.ru /robots.txt', 'site.ru /']);
  });

  test('over TLS before plain HTTP', async () => {
    await using world = createWorld();
    await world.serveSecure('secure.example', page('<title>secure</title>'));
    await world.serve('secure.example', page('<title>plain</title>'));
    world.start({}, { ca: [certificate] });
    const read = await readPage(world.reader, 'secure.example');
    expect([read.url, read.facts.title]).toEqual(['https://secure.example/', 'secure']);
    // An untrusted certificate is treated like no TLS at all.
    world.start();
    expect((await readPage(world.reader, 'secure.example')).facts.title).toBe('plain');
  });

  test('at www if the bare domain has no address', async () => {
    await using world = createWorld();
    await world.serve('www.site.ru', page(html));
    world.start();
    const read = await readPage(world.reader, 'site.ru');
    expect([read.url, read.sameDomain]).toEqual(['http://www.site.ru/', true]);
  });

  test.each([403, 404, 500, 503])('at www if the bare domain answers %i', async (status) => {
    await using world = createWorld();
    await world.serve('site.ru', (_, response) => response.writeHead(status).end(html));
    await world.serve('www.site.ru', page(html));
    world.start();
    expect((await readPage(world.reader, 'site.ru')).url).toBe('http://www.site.ru/');
  });

  test('at www if the bare domain refuses the connection', async () => {
    await using world = createWorld();
    // Its certificate is not trusted, and nothing listens on its port 80.
    await world.serveSecure('site.ru', page(html));
    await world.serve('www.site.ru', page(html));
    world.start();
    expect((await readPage(world.reader, 'site.ru')).url).toBe('http://www.site.ru/');
  });

  test('in windows-1251 on a .рф domain', async () => {
    await using world = createWorld();
    const bytes = iconv.encode('<html><title>Привет | мир</title><p>Добро пожаловать', 'win1251');
    await world.serve('xn--e1afmkfd.xn--p1ai', page(bytes));
    world.start();
    const read = await readPage(world.reader, 'xn--e1afmkfd.xn--p1ai');
    expect(read).toMatchObject({ sameDomain: true, facts: { title: 'Привет | мир' } });
  });

  test('on another domain after a redirect, and does not count as workable', async () => {
    await using world = createWorld();
    await world.serve('site.ru', (_, response) => {
      response.writeHead(301, { location: 'http://other.ru/welcome' }).end();
    });
    await world.serve('other.ru', page(html));
    world.start();
    const read = await readPage(world.reader, 'site.ru');
    expect(read).toMatchObject({ url: 'http://other.ru/welcome', sameDomain: false });
    expect(read.workable).toBe(false);
  });

  test.each<[string, string, string]>([
    ['parked', '<h1>Этот домен продаётся</h1>', 'text/html'],
    ['no HTML', '{"hello": "<p>world"}', 'application/json'],
    ['a picture', '<p>not really', 'image/png'],
    ['empty', '', 'text/html'],
    ['text', '<p>hello', 'text/plain'],
  ])('and does not count as workable: %s', async (_, body, type) => {
    await using world = createWorld();
    await world.serve('site.ru', page(body, type));
    world.start();
    expect(await readPage(world.reader, 'site.ru')).toMatchObject({ status: 200, workable: false });
  });

  test('without a Content-Type, if it is HTML', async () => {
    await using world = createWorld();
    await world.serveRaw('site.ru', (socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n\r\n${html}`);
    });
    world.start();
    expect(await readPage(world.reader, 'site.ru')).toMatchObject({ workable: true });
  });
});

describe('a page is not read', () => {
  test.each([403, 404, 410, 500, 503])('with status %i', async (status) => {
    await using world = createWorld();
    await world.serve('site.ru', (request, response) => {
      response.writeHead(request.url === '/' ? status : 404).end(html);
    });
    world.start();
    expect(await failureOf(world, 'site.ru')).toEqual(['http_status', status]);
  });

  test('if robots.txt forbids it, or is unreachable', async () => {
    await using world = createWorld();
    await world.serve('closed.ru', (_, response) => response.end('User-agent: *\nDisallow: /'));
    await world.serve('broken.ru', (_, response) => response.writeHead(500).end());
    world.start();
    expect(await failureOf(world, 'closed.ru')).toEqual(['robots_disallowed', null]);
    expect(await failureOf(world, 'broken.ru')).toEqual(['robots_unreachable', null]);
    expect(world.requests).toEqual(['closed.ru /robots.txt', 'broken.ru /robots.txt']);
  });

  test('nor requested at www, if robots.txt of the bare domain forbids it or the server is overloaded', async () => {
    await using world = createWorld();
    await world.serve('closed.ru', (_, response) => response.end('User-agent: *\nDisallow: /'));
    await world.serve('busy.ru', (request, response) => {
      response.writeHead(request.url === '/' ? 429 : 404).end();
    });
    for (const host of ['www.closed.ru', 'www.busy.ru']) await world.serve(host, page(html));
    world.start();
    expect(await failureOf(world, 'closed.ru')).toEqual(['robots_disallowed', null]);
    expect(await failureOf(world, 'busy.ru')).toEqual(['http_status', 429]);
    expect(world.requests.some((request) => request.startsWith('www.'))).toBe(false);
  });

  test('if robots.txt of a redirect target forbids it', async () => {
    await using world = createWorld();
    await world.serve('site.ru', (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: 'http://closed.ru/x' }).end();
      else response.writeHead(404).end();
    });
    await world.serve('closed.ru', (_, response) => response.end('User-agent: *\nDisallow: /x'));
    world.start();
    expect((await failureOf(world, 'site.ru'))[0]).toBe('robots_disallowed');
    expect(world.requests).not.toContain('closed.ru /x');
  });

  test('if no server answers, or the address is private', async () => {
    await using world = createWorld();
    world.start();
    expect((await failureOf(world, 'nowhere.ru'))[0]).toBe('dns');
    world.start({}, { resolver: () => Promise.resolve(['10.0.0.1']) });
    expect((await failureOf(world, 'inside.ru'))[0]).toBe('denied_address');
  });

  test('beyond the total time limit', async () => {
    await using world = createWorld();
    await world.serveRaw('site.ru', () => {});
    world.start({ totalTimeoutMs: 60 });
    expect((await failureOf(world, 'site.ru'))[0]).not.toBe('dns');
  });

  test('when no request could be made, which says nothing about the site', async () => {
    await using world = createWorld();
    await world.serve('site.ru', page(html));
    world.start({ siteBudgetRequests: 1 });
    const [reason] = await failureOf(world, 'site.ru');
    expect([reason, isPassing(reason)]).toEqual(['site_budget', true]);
    world.start();
    world.fetch.close();
    const [stopped] = await failureOf(world, 'site.ru');
    expect([stopped, isPassing(stopped)]).toEqual(['stopped', true]);
  });
});

test('any address can be read, with a hook before each hop', async () => {
  await using world = createWorld();
  await world.serve('site.ru', (request, response) => {
    if (request.url === '/moved') response.writeHead(301, { location: '/deep' }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<a href="/next">next</a>');
  });
  world.start();
  const hops: string[] = [];
  const beforeHop = (url: URL) => Promise.resolve(void hops.push(url.pathname));
  const moved = new URL('http://site.ru/moved');
  const read = await world.reader.readUrl(moved, 'site.ru', { beforeHop });
  expect(read).toMatchObject({ ok: true, facts: { internalUrls: ['http://site.ru/next'] } });
  expect(hops).toEqual(['/moved', '/deep']);
  expect(world.requests).not.toContain('site.ru /robots.txt');
});
