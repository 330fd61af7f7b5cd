/** The trust record of the legacy interface, row by row of the specification's tables. */
import { describe, expect, spyOn, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { DomainError } from '../../src/lib/errors.ts';
import { movableClock, steadyToday } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { PASSWORD } from '../support/gateway.ts';
import { donorsOf, type Links } from '../trust/check/links.ts';
import { cookie, openTrustWorld, sharedTrustWorld } from '../trust/check/world.ts';

const text = 'Слова, которые люди читают на обычной странице обычного сайта. '.repeat(5);
const html = (title: string, body = text) =>
  `<!doctype html><html lang="ru"><title>${title}</title><body><p>${body}</p></body></html>`;
const bytes = (content: string, type: string) => () =>
  new Response(new Uint8Array(iconv.encode(content, 'windows-1251')), {
    headers: { 'content-type': type },
  });

const links: Links = [
  ...donorsOf('alpha.ru', 5),
  ['alpha.ru', 'beta.ru'],
  ['alpha.ru', 'gamma.ru'],
  ['msu.edu', 'alpha.ru'],
  ['beta.ru', 'xn--e1afmkfd.xn--p1ai'],
];
/** Five donors and the university. */
const ALPHA_DONORS = '6';

const sites = {
  'alpha.ru': html('Альфа &mdash; первая'),
  'parked.ru': html('parked.ru', 'Домен parked.ru продаётся. Купить этот домен.'),
  'cp1251.ru': bytes(html('Привет из прошлого'), 'text/html; charset=windows-1251'),
  'guessed.ru': bytes(html('Без указания кодировки'), 'text/html'),
  'xn--e1afmkfd.xn--p1ai': html('Пример'),
  'hostile.ru': html('a|b\r\nc\td\u2028e\u202Ef\u0007g &#124; &#10; h'),
  'long.ru': html('ж'.repeat(400)),
  'notitle.ru': html(''),
  'moved.ru': () => new Response(null, { status: 301, headers: { location: 'http://alpha.ru/' } }),
  'gone.ru': () => new Response('gone', { status: 410 }),
  'image.ru': () => new Response('GIF89a', { headers: { 'content-type': 'image/gif' } }),
  'shy.ru': html('Скрытный'),
  'shy.ru/robots.txt': 'User-agent: *\nDisallow: /\n',
};

for (const dialect of dialects) {
  describe(`${dialect}: trust record, tp=3`, () => {
    const shared = sharedTrustWorld(dialect, { sites, down: ['down.ru'] }, (world) =>
      world.release('first', links),
    );

    test('positions 1 to 10 are in order, each with real data', async () => {
      const today = await steadyToday();
      const world = shared();
      const user = await world.gateway.addUser({ login: `Анна.${dialect}` });
      const fields = await world.fields(user, 'alpha.ru');
      expect(fields).toHaveLength(10);
      const [xt, title, login, remaining, colour, works, acceptors, donors, spam, history] = fields;
      expect(xt).toMatch(/^(?:10\.0|\d\.\d)$/);
      // Institutions link here.
      expect(Number(xt)).toBeGreaterThan(2);
      expect(title).toBe('Альфа — первая');
      expect(login).toBe(user.login);
      expect(remaining).toBe('999');
      expect(colour).toMatch(/^(?:зел|жел|ор)$/);
      expect(works).toBe('да');
      expect(acceptors).toBe('2');
      expect(donors).toBe(ALPHA_DONORS);
      expect(spam).toMatch(/^\d{1,3}$/);
      expect(history).toBe(`${today}:${xt}`);
    });

    test('h=0 omits position 10, h=1 gives dates, h=2 is abbreviated', async () => {
      const today = await steadyToday();
      const world = shared();
      const user = await world.gateway.addUser();
      const none = await world.fields(user, 'alpha.ru', '0');
      const full = await world.fields(user, 'alpha.ru', '1');
      const short = await world.fields(user, 'alpha.ru', '2');
      const xt = none[0] ?? '';
      expect([none.length, full.length, short.length]).toEqual([9, 10, 10]);
      expect(full[9]).toBe(`${today}:${xt}`);
      expect(short[9]).toBe(xt);
      expect([none[3], full[3], short[3]]).toEqual(['999', '998', '997']);
    });

    test('is one line without a line end, text/plain in UTF-8, not cacheable', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const response = await world.check(user, 'alpha.ru');
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).not.toMatch(/[\r\n]/);
    });

    test('url: scheme, case, www, path and port do not matter', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const spellings = [
        'http://alpha.ru',
        'https://www.alpha.ru/',
        'ALPHA.RU',
        'www.Alpha.ru',
        'alpha.ru.',
        'http://alpha.ru:8080/path?a=b#c',
        '//alpha.ru/x',
        'deep.sub.alpha.ru',
      ];
      for (const url of spellings) {
        const fields = await world.fields(user, url);
        expect([url, fields[1], fields[7]]).toEqual([url, 'Альфа — первая', ALPHA_DONORS]);
      }
    });

    test('url: its query may be unescaped, as old scripts send it', async () => {
      const world = shared();
      const { token } = await world.gateway.addUser();
      const path = '/trast.php?url=http://alpha.ru/?page=1&tp=3&h=0';
      const response = await world.gateway.fetch(path, { headers: cookie(token) });
      expect([response.status, (await response.text()).split('|')[1]]).toEqual([
        200,
        'Альфа — первая',
      ]);
    });

    test('curl logs in with a cookie jar and reads a record on a real port', async () => {
      const { gateway } = shared();
      const { login } = await gateway.addUser();
      const directory = await mkdtemp(join(tmpdir(), 'zastava-curl-'));
      const curl = async (...words: string[]) => {
        const command = ['curl', '-sS', '-c', 'jar', '-b', 'jar', ...words];
        const child = Bun.spawn(command, { cwd: directory, stdout: 'pipe', stderr: 'inherit' });
        return new Response(child.stdout).text();
      };
      try {
        const url = gateway.listen();
        const pass = `pass=${encodeURIComponent(PASSWORD)}`;
        expect(await curl(`${url}/login.php`, '-d', `login=${login}&${pass}&auto=`)).toBe('yes');
        // Cyrillic as a person types it, and as a client escapes it.
        for (const address of ['пример.рф', encodeURIComponent('пример.рф')]) {
          const line = await curl(`${url}/trast.php?url=${address}&tp=3&h=2`);
          expect(line.split('|').slice(1, 3)).toEqual(['Пример', login]);
        }
      } finally {
        await rm(directory, { recursive: true });
      }
    });

    test('url: a .рф domain is the same site in Cyrillic and in punycode', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      for (const url of ['пример.рф', 'http://ПРИМЕР.РФ/', 'xn--e1afmkfd.xn--p1ai']) {
        const fields = await world.fields(user, url);
        expect([url, fields[1], fields[5], fields[7]]).toEqual([url, 'Пример', 'да', '1']);
      }
    });

    test('a site that is down, gone, not a page or closed to robots still gets a record', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      for (const url of ['down.ru', 'gone.ru', 'shy.ru']) {
        const fields = await world.fields(user, url);
        expect([url, fields.length, fields[1], fields[5]]).toEqual([url, 10, '', 'не известно']);
      }
      expect((await world.fields(user, 'image.ru'))[5]).toBe('не известно');
      expect(world.web.visited()).not.toContain('shy.ru/');
    });

    test('a parked site has a title and unknown workability', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const fields = await world.fields(user, 'parked.ru');
      expect([fields[1], fields[5]]).toEqual(['parked.ru', 'не известно']);
    });

    test('reads a site in windows-1251, with or without a header', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      expect((await world.fields(user, 'cp1251.ru'))[1]).toBe('Привет из прошлого');
      expect((await world.fields(user, 'guessed.ru'))[1]).toBe('Без указания кодировки');
    });

    test('a title with separators, line ends and direction controls does not break the line', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const fields = await world.fields(user, 'hostile.ru');
      expect(fields).toHaveLength(10);
      expect(fields[1]).toBe('a¦b c d efg ¦ h');
      expect((await world.fields(user, 'long.ru'))[1]).toBe('ж'.repeat(300));
      expect((await world.fields(user, 'notitle.ru'))[1]).toBe('');
    });

    test('a redirect to another registrable domain does not count as working', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const fields = await world.fields(user, 'moved.ru');
      expect([fields[1], fields[5], fields[7]]).toEqual(['Альфа — первая', 'не известно', '0']);
    });

    test('without valid cookies the answer is 401 auth', async () => {
      const { gateway } = shared();
      for (const headers of [{}, { cookie: 'zastava_session=x' }, { authorization: 'Bearer x' }]) {
        const response = await gateway.fetch('/trast.php?url=alpha.ru&tp=3&h=0', { headers });
        expect(response.status).toBe(401);
        expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
        expect(await response.text()).toMatch(/^error\|auth\|[^|\r\n]+$/);
      }
    });

    test('an invalid url, tp or h gets 400 by name, and uses up no check', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const refusals: [code: string, url: string, query: Record<string, string>][] = [
        ['url', '', {}],
        ['url', 'localhost', {}],
        ['url', 'рф', {}],
        ['url', 'co.uk', {}],
        ['url', '127.0.0.1', {}],
        ['url', 'http://[::1]/', {}],
        ['url', '0x7f.1', {}],
        ['url', 'ftp://alpha.ru/', {}],
        ['url', 'no|domain\nhere', {}],
        ['tp', 'alpha.ru', { tp: '1' }],
        ['tp', 'alpha.ru', { tp: '' }],
        ['h', 'alpha.ru', { h: '3' }],
        ['h', 'alpha.ru', { h: '' }],
      ];
      for (const [code, url, query] of refusals) {
        const response = await world.check(user, url, query);
        const line = await response.text();
        expect([url, response.status, line.split('|').slice(0, 2)]).toEqual([
          url,
          400,
          ['error', code],
        ]);
        expect(line).toMatch(/^error\|[a-z]+\|[^|\r\n]+$/);
      }
      for (const query of ['', '?tp=3&h=0', '?url=alpha.ru&h=0', '?url=alpha.ru&tp=3']) {
        const headers = cookie(user.token);
        expect((await world.gateway.fetch(`/trast.php${query}`, { headers })).status).toBe(400);
      }
      expect((await world.fields(user, 'alpha.ru'))[3]).toBe('999');
    });

    test('too many checks at once get 503 busy with Retry-After, and use up no check', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const busy = new DomainError('overloaded', 'wait', { retryAfterSeconds: 1 });
      const { check } = world.gateway.core.trust;
      const checking = spyOn(check, 'check').mockImplementation(() => Promise.reject(busy));
      try {
        const response = await world.check(user, 'alpha.ru');
        expect(response.status).toBe(503);
        expect(response.headers.get('retry-after')).toBe('1');
        expect(await response.text()).toBe('error|busy|wait');
      } finally {
        checking.mockRestore();
      }
      expect((await world.fields(user, 'alpha.ru'))[3]).toBe('999');
    });
  });

  describe(`${dialect}: the allowance of the legacy interface`, () => {
    test('the remaining requests fall to 0, then the answer is 429 limit until midnight UTC', async () => {
      const clock = movableClock();
      clock.forward(msTo(12));
      const env = { ZASTAVA_TRUST_DAILY_ALLOWANCE: '2' };
      await using world = await openTrustWorld(dialect, { clock, env, down: ['down.ru'] });
      const user = await world.gateway.addUser();
      expect((await world.fields(user, 'down.ru'))[3]).toBe('1');
      expect((await world.fields(user, 'down.ru'))[3]).toBe('0');
      const refused = await world.check(user, 'down.ru');
      expect(refused.status).toBe(429);
      const wait = Number(refused.headers.get('retry-after'));
      expect(Math.abs(wait - 12 * 3600)).toBeLessThan(120);
      expect(await refused.text()).toMatch(/^error\|limit\|[^|\r\n]+$/);
      clock.forward(12 * 3_600_000);
      expect((await world.fields(user, 'down.ru'))[3]).toBe('1');
    });
  });

  describe(`${dialect}: no release loaded`, () => {
    test('gives no verdict: жел, and an empty history', async () => {
      await using world = await openTrustWorld(dialect, { sites });
      const user = await world.gateway.addUser();
      const fields = await world.fields(user, 'alpha.ru');
      expect(fields).toEqual([
        '0.0',
        'Альфа — первая',
        user.login,
        '999',
        'жел',
        'да',
        '0',
        '0',
        '0',
        '',
      ]);
    });
  });

  describe(`${dialect}: ZASTAVA_LEGACY_CHARSET=windows-1251`, () => {
    const env = { ZASTAVA_LEGACY_CHARSET: 'windows-1251' };
    const signs = { ...sites, 'signs.ru': html('Ω и ≈ 😀 &#0;, но «да» и €') };
    const shared = sharedTrustWorld(dialect, { env, sites: signs });

    test('answers in the charset, with ? for missing characters, and names it in the Content-Type', async () => {
      const world = shared();
      const user = await world.gateway.addUser();
      const response = await world.check(user, 'signs.ru', { h: '0' });
      expect(response.headers.get('content-type')).toBe('text/plain; charset=windows-1251');
      const expected = `0.0|? и ? ? ?, но «да» и €|${user.login}|999|жел|да|0|0|0`;
      const body = Buffer.from(await response.arrayBuffer());
      expect(body.toString('hex')).toBe(iconv.encode(expected, 'windows-1251').toString('hex'));
    });

    test('input that is not UTF-8 is read as windows-1251', async () => {
      const world = shared();
      const { token } = await world.gateway.addUser();
      for (const charset of ['utf-8', 'windows-1251']) {
        const url = escaped('пример.рф', charset);
        const path = `/trast.php?url=${url}&tp=3&h=0`;
        const response = await world.gateway.fetch(path, { headers: cookie(token) });
        const line = iconv.decode(Buffer.from(await response.arrayBuffer()), 'windows-1251');
        expect([charset, line.split('|')[1]]).toEqual([charset, 'Пример']);
      }
    });

    test('a login and a password in windows-1251 log in', async () => {
      const { gateway } = shared();
      const { login, userId } = await gateway.addUser({ login: `Иван-${dialect}` });
      await gateway.core.users.setPassword(userId, 'секретное слово');
      for (const charset of ['utf-8', 'windows-1251']) {
        const pass = escaped('секретное слово', charset);
        const response = await gateway.fetch('/login.php', {
          method: 'POST',
          body: `login=${escaped(login, charset)}&pass=${pass}&auto=`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        });
        expect([charset, await response.text()]).toEqual([charset, 'yes']);
        expect(response.headers.get('content-type')).toBe('text/plain; charset=windows-1251');
      }
    });

    test('an error line uses the charset too', async () => {
      const world = shared();
      const response = await world.gateway.fetch('/trast.php?url=a.ru&tp=3&h=0');
      expect(response.headers.get('content-type')).toBe('text/plain; charset=windows-1251');
      expect((await response.text()).split('|')[1]).toBe('auth');
    });
  });

  test(`${dialect}: without the setting, bytes that are not UTF-8 do no harm`, async () => {
    await using world = await openTrustWorld(dialect);
    const { token } = await world.gateway.addUser();
    const path = `/trast.php?url=${escaped('пример.рф', 'windows-1251')}&tp=3&h=0`;
    const response = await world.gateway.fetch(path, { headers: cookie(token) });
    expect((await response.text()).split('|')[1]).toBe('url');
  });
}

/** Milliseconds from now to an hour of the next day, UTC. */
function msTo(hour: number): number {
  return 86_400_000 - (Date.now() % 86_400_000) + hour * 3_600_000;
}

function escaped(value: string, charset: string): string {
  return [...iconv.encode(value, charset)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
}
