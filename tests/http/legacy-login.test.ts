/** The login of the legacy interface, row by row of the specification's tables, with a real curl. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stillClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, PASSWORD, type Gateway } from '../support/gateway.ts';

const FORM = 'application/x-www-form-urlencoded';
const THIRTY_DAYS_S = 30 * 24 * 3600;

interface Page {
  status: number;
  headers: Headers;
  body: string;
}

/**
 * A login over HTTP without following redirects.
 * @param type null: no Content-Type at all
 */
async function logIn(
  gateway: Gateway,
  fields: Record<string, string>,
  { path = '/login.php', type = FORM }: { path?: string; type?: string | null } = {},
): Promise<Page> {
  // Bytes, since a text gets a content type automatically.
  const body = new TextEncoder().encode(new URLSearchParams(fields).toString());
  const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
  const response = await gateway.fetch(path, { method: 'POST', body, headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** The cookie of an answer as a client sends it back. */
function cookieOf({ headers }: Page): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function get(gateway: Gateway, path: string, cookie = ''): Promise<Page> {
  const response = await gateway.fetch(path, { headers: cookie === '' ? {} : { cookie } });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const isLoggedIn = async (gateway: Gateway, cookie: string): Promise<boolean> => {
  const { status, body } = await get(gateway, '/login.php', cookie);
  expect(status).toBe(200);
  expect(['yes', 'no']).toContain(body);
  return body === 'yes';
};

for (const dialect of dialects) {
  describe(`${dialect}: legacy login`, () => {
    let gateway: Gateway;
    let curl: (...words: string[]) => Promise<string>;
    beforeAll(async () => {
      gateway = await openGateway(dialect);
      const directory = await mkdtemp(join(tmpdir(), 'zastava-curl-'));
      const url = gateway.listen();
      curl = async (...words) => {
        const command = ['curl', '-sS', ...words.map((word) => word.replace('BASE', url))];
        const child = Bun.spawn(command, { cwd: directory, stdout: 'pipe', stderr: 'inherit' });
        const out = await new Response(child.stdout).text();
        expect(await child.exited).toBe(0);
        return out;
      };
      directories.push(directory);
    });
    const directories: string[] = [];
    afterAll(async () => {
      await gateway[Symbol.asyncDispose]();
      for (const directory of directories) await rm(directory, { recursive: true });
    });

    test('curl: POST /login.php answers 302 with the body yes, and its cookie opens the rest', async () => {
      const { login } = await gateway.addUser();
      const fields = ['-d', `login=${login}`, '-d', `pass=${encodeURIComponent(PASSWORD)}`];
      const jar = ['-c', 'jar', '-b', 'jar'];
      const format = '|%{http_code}|%{redirect_url}';
      const answer = await curl('BASE/login.php', ...fields, '-d', 'auto=', ...jar, '-w', format);
      expect(answer).toMatch(/^yes\|302\|http:\/\/127\.0\.0\.1:\d+\/login\.php$/);
      expect(await curl('BASE/login.php', ...jar)).toBe('yes');
      expect(await curl('BASE/trast.php?url=x&tp=3&h=0', ...jar)).toStartWith('error|url|');
      expect(await curl('BASE/logout.php', ...jar)).toBe('yes');
      expect(await curl('BASE/login.php', ...jar)).toBe('no');
    });

    test('curl: a client that follows the redirect of the login reads yes again', async () => {
      const { login } = await gateway.addUser();
      const fields = ['-d', `login=${login}`, '-d', `pass=${encodeURIComponent(PASSWORD)}`];
      const jar = ['-c', 'followed', '-b', 'followed'];
      const format = '|%{http_code}|%{num_redirects}';
      const words = ['-L', ...fields, ...jar, '-w', format];
      expect(await curl('BASE/login.php', ...words)).toBe('yes|200|1');
      expect(await curl('BASE/', ...words)).toBe('yes|200|1');
    });

    test('curl: without a Content-Type header, 200, an empty body and no login', async () => {
      const { login } = await gateway.addUser();
      for (const pass of [PASSWORD, 'wrong']) {
        const data = `login=${login}&pass=${encodeURIComponent(pass)}&auto=`;
        const words = ['-H', 'Content-Type:', '-d', data, '-c', 'none', '-b', 'none'];
        const answer = await curl('BASE/login.php', ...words, '-w', '|%{http_code}');
        expect(answer).toBe('|200');
        expect(await curl('BASE/login.php', '-b', 'none')).toBe('no');
      }
    });

    test('an initial password does not log in', async () => {
      const { login } = await gateway.addUser();
      const change = 'UPDATE users SET must_change_password = 1 WHERE login = $1';
      await gateway.core.db.transaction((tx) => tx.query(change, [login]));
      const page = await logIn(gateway, { login, pass: PASSWORD });
      expect([page.status, page.body, cookieOf(page)]).toEqual([200, 'no', '']);
    });

    for (const path of ['/login.php', '/']) {
      test(`POST ${path}: auto, whatever its value, makes the cookie last`, async () => {
        const { login } = await gateway.addUser();
        for (const auto of ['', '1', 'off']) {
          const page = await logIn(gateway, { login, pass: PASSWORD, auto }, { path });
          expect([page.status, page.body]).toEqual([302, 'yes']);
          expect(page.headers.get('location')).toBe('/login.php');
          const [set = '', ...more] = page.headers.getSetCookie();
          expect(more).toEqual([]);
          expect(set.split('; ').slice(1).toSorted()).toEqual([
            'HttpOnly',
            `Max-Age=${THIRTY_DAYS_S}`,
            'Path=/',
            'SameSite=Lax',
          ]);
          expect(await isLoggedIn(gateway, cookieOf(page))).toBe(true);
        }
      });

      test(`POST ${path}: without auto the cookie lasts until the client ends`, async () => {
        const { login } = await gateway.addUser();
        const page = await logIn(gateway, { login, pass: PASSWORD }, { path });
        expect([page.status, page.body]).toEqual([302, 'yes']);
        expect(page.headers.getSetCookie()[0]).not.toMatch(/max-age|expires/i);
        expect(await isLoggedIn(gateway, cookieOf(page))).toBe(true);
      });
    }

    test('without the right Content-Type: 200, empty, no cookie, whatever the credentials', async () => {
      const { login } = await gateway.addUser();
      const others = [
        null,
        'application/json',
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencodedx',
        `text/plain; ${FORM}`,
      ];
      for (const type of others) {
        for (const pass of [PASSWORD, 'wrong']) {
          const page = await logIn(gateway, { login, pass, auto: '' }, { type });
          expect([type, page.status, page.body]).toEqual([type, 200, '']);
          expect(page.headers.getSetCookie()).toEqual([]);
        }
      }
    });

    test('a charset parameter and any case of the type are accepted', async () => {
      const { login } = await gateway.addUser();
      for (const type of [
        `${FORM}; charset=windows-1251`,
        `${FORM};charset="utf-8"`,
        upper(FORM),
      ]) {
        const page = await logIn(gateway, { login, pass: PASSWORD, auto: '' }, { type });
        expect([type, page.status, page.body]).toEqual([type, 302, 'yes']);
      }
    });

    test('wrong credentials: 200, no, without a cookie', async () => {
      const { login } = await gateway.addUser();
      const wrong: Record<string, string>[] = [
        { login, pass: 'wrong', auto: '' },
        { login: 'nobody-of-that-name', pass: PASSWORD, auto: '' },
        { login, auto: '' },
        { pass: PASSWORD, auto: '' },
        {},
      ];
      for (const fields of wrong) {
        const page = await logIn(gateway, fields);
        expect([fields, page.status, page.body]).toEqual([fields, 200, 'no']);
        expect(page.headers.getSetCookie()).toEqual([]);
        expect(page.headers.get('content-type')).toStartWith('text/plain');
      }
    });

    test('accepts the users of the JSON interface, in Cyrillic too', async () => {
      const { login } = await gateway.addUser({ login: `Пётр-${dialect}` });
      const page = await logIn(gateway, { login: login.toLowerCase(), pass: PASSWORD });
      expect(page.body).toBe('yes');
    });

    test('a cookie opens no operation, and no other credential is a cookie', async () => {
      const { login, token, userId } = await gateway.addUser({ isAdmin: true });
      const cookie = cookieOf(await logIn(gateway, { login, pass: PASSWORD, auto: '' }));
      expect(await isLoggedIn(gateway, cookie)).toBe(true);
      const taken = cookie.replace(/^[^=]*=/, '');
      // Also as the text under which a cache might know it.
      for (const bearer of [taken, `${taken} cookie`, `cookie ${taken}`]) {
        for (const path of ['/account/', '/auth/refresh/', '/auth/logout/', '/admin/users/add/']) {
          const refused = await gateway.post(path, {}, { token: bearer });
          // A credential has no spaces.
          const code = bearer === taken ? 'invalid_token' : 'unauthenticated';
          expect([path, refused.body.error?.code]).toEqual([path, code]);
        }
      }
      const headers = { authorization: `Bearer ${taken}` };
      expect((await gateway.fetch('/v1/models', { headers })).status).toBe(401);
      expect(await isLoggedIn(gateway, cookie)).toBe(true);
      const { key } = await gateway.core.keys.create(userId, { name: 'k' });
      for (const other of [token, key]) {
        expect((await gateway.post('/account/', {}, { token: other })).status).toBe(200);
        const session = `zastava_session=${other}`;
        expect(await isLoggedIn(gateway, session)).toBe(false);
        const trust = await get(gateway, '/trast.php?url=a.ru&tp=3&h=0', session);
        expect([trust.status, trust.body.split('|')[1]]).toEqual([401, 'auth']);
        await get(gateway, '/logout.php', session);
        expect((await gateway.post('/account/', {}, { token: other })).status).toBe(200);
      }
    });

    test('a page of another site can log nobody in or out, and uses no checks up', async () => {
      const { login } = await gateway.addUser();
      const form = new URLSearchParams({ login, pass: PASSWORD, auto: '' });
      const cookie = cookieOf(await logIn(gateway, { login, pass: PASSWORD, auto: '' }));
      const send = async (method: string, path: string, site: string) => {
        const headers = { cookie, 'sec-fetch-site': site };
        const body = method === 'POST' ? form : null;
        const answer = await gateway.fetch(path, { method, headers, body });
        return [path, answer.status, answer.headers.getSetCookie().length];
      };
      for (const [method, path, status] of [
        ['POST', '/login.php', 403],
        ['POST', '/', 403],
        ['GET', '/login.php', 403],
        ['GET', '/logout.php', 403],
        ['GET', '/trast.php?url=a.ru&tp=3&h=0', 401],
      ] as const) {
        expect(await send(method, path, 'cross-site')).toEqual([path, status, 0]);
      }
      expect(await isLoggedIn(gateway, cookie)).toBe(true);
      for (const site of ['same-origin', 'same-site', 'none']) {
        expect(await send('POST', '/login.php', site)).toEqual(['/login.php', 302, 1]);
        expect(await send('GET', '/login.php', site)).toEqual(['/login.php', 200, 0]);
      }
    });

    test('GET /login.php answers no without cookies, with forged ones and with others', async () => {
      const { login } = await gateway.addUser();
      const session = cookieOf(await logIn(gateway, { login, pass: PASSWORD }));
      const token = session.replace(/^[^=]*=/, '');
      expect(await isLoggedIn(gateway, session)).toBe(true);
      const others = ['', 'zastava_session=', 'zastava_session=x', `other=${token}`, `${session}=`];
      for (const cookie of others) {
        expect(await isLoggedIn(gateway, cookie)).toBe(false);
      }
      expect(await isLoggedIn(gateway, `a=b; zastava_session=${token}; c=d`)).toBe(true);
    });

    test('GET /logout.php ends only its cookie, on the server too', async () => {
      const { login } = await gateway.addUser();
      const first = await logIn(gateway, { login, pass: PASSWORD, auto: '' });
      const second = await logIn(gateway, { login, pass: PASSWORD, auto: '' });
      const out = await get(gateway, '/logout.php', cookieOf(first));
      expect([out.status, out.headers.getSetCookie()[0]]).toEqual([
        200,
        expect.stringContaining('Max-Age=0'),
      ]);
      expect(await isLoggedIn(gateway, cookieOf(first))).toBe(false);
      expect(await isLoggedIn(gateway, cookieOf(second))).toBe(true);
      expect((await get(gateway, '/logout.php')).status).toBe(200);
    });

    test('a password change and a block end the cookies; a blocked user reads no and auth', async () => {
      for (const end of ['password', 'block'] as const) {
        const { login, userId } = await gateway.addUser();
        const cookie = cookieOf(await logIn(gateway, { login, pass: PASSWORD, auto: '' }));
        expect(await isLoggedIn(gateway, cookie)).toBe(true);
        const { users } = gateway.core;
        if (end === 'block') await users.setBlocked(userId, true);
        else await users.setPassword(userId, 'another password');
        expect(await isLoggedIn(gateway, cookie)).toBe(false);
        const refused = await get(gateway, '/trast.php?url=a.ru&tp=3&h=0', cookie);
        expect([refused.status, refused.body.split('|')[1]]).toEqual([401, 'auth']);
        const again = await logIn(gateway, { login, pass: PASSWORD, auto: '' });
        expect([again.status, again.body]).toEqual([200, 'no']);
        expect(again.headers.getSetCookie()).toEqual([]);
      }
    });

    test('a form that is too long gets 413 and no', async () => {
      const { login } = await gateway.addUser();
      const page = await logIn(gateway, { login, pass: 'x'.repeat(70_000) });
      expect([page.status, page.body]).toEqual([413, 'no']);
      expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    });

    test('other methods get 405 with Allow, in the format of the path, and do nothing', async () => {
      const { login } = await gateway.addUser();
      const cookie = cookieOf(await logIn(gateway, { login, pass: PASSWORD, auto: '' }));
      const paths = { '/login.php': 'GET, POST', '/logout.php': 'GET', '/trast.php': 'GET' };
      for (const [path, allow] of Object.entries(paths)) {
        const methods = ['PUT', 'DELETE', 'PATCH', 'HEAD', ...(allow === 'GET' ? ['POST'] : [])];
        for (const method of methods) {
          const address = `${path}?url=alpha.ru&tp=3&h=0`;
          const response = await gateway.fetch(address, { method, headers: { cookie } });
          const word = path === '/trast.php' ? 'error|method|send GET' : 'no';
          const { status, headers } = response;
          expect([path, method, status, headers.get('allow'), await response.text()]).toEqual([
            path,
            method,
            405,
            allow,
            word,
          ]);
          expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
        }
      }
      expect(await isLoggedIn(gateway, cookie)).toBe(true);
      const taken = await gateway.core.db.query('SELECT * FROM trust_usage');
      expect(taken).toEqual([]);
    });

    test('throttled guesses get 429 and no', async () => {
      const { login } = await gateway.addUser();
      let page = await logIn(gateway, { login, pass: 'wrong' });
      for (let tries = 1; page.status === 200 && tries < 50; tries++) {
        expect(page.body).toBe('no');
        page = await logIn(gateway, { login, pass: `wrong ${tries}` });
      }
      expect([page.status, page.body]).toEqual([429, 'no']);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  test(`${dialect}: the stored cookie ends after 30 days, and is Secure behind https`, async () => {
    const clock = stillClock();
    const env = { ZASTAVA_PUBLIC_URL: 'https://trust.example.org' };
    await using gateway = await openGateway(dialect, { clock, env });
    const { login } = await gateway.addUser();
    const stored = await logIn(gateway, { login, pass: PASSWORD, auto: '' });
    const session = await logIn(gateway, { login, pass: PASSWORD });
    for (const page of [stored, session]) {
      expect(page.headers.getSetCookie()[0]?.split('; ')).toContain('Secure');
    }
    clock.forward((THIRTY_DAYS_S - 60) * 1000);
    expect(await isLoggedIn(gateway, cookieOf(stored))).toBe(true);
    clock.forward(120_000);
    expect(await isLoggedIn(gateway, cookieOf(stored))).toBe(false);
  });

  test(`${dialect}: https is recognised in capitals, too`, async () => {
    const env = { ZASTAVA_PUBLIC_URL: 'HTTPS://trust.example.org' };
    await using gateway = await openGateway(dialect, { env });
    const { login } = await gateway.addUser();
    const [cookie = ''] = (await logIn(gateway, { login, pass: PASSWORD })).headers.getSetCookie();
    expect(cookie).toStartWith('__Host-zastava_session=');
    expect(cookie.split('; ')).toContain('Secure');
  });

  test(`${dialect}: the stored cookie ends with its token where sessions are shorter`, async () => {
    const env = { ZASTAVA_SESSION_MAX_SECONDS: '60' };
    await using gateway = await openGateway(dialect, { env });
    const { login } = await gateway.addUser();
    const page = await logIn(gateway, { login, pass: PASSWORD, auto: '' });
    expect(page.headers.getSetCookie()[0]?.split('; ')).toContain('Max-Age=60');
  });

  test(`${dialect}: behind https no other host can set the cookie`, async () => {
    const env = { ZASTAVA_PUBLIC_URL: 'https://trust.example.org' };
    await using gateway = await openGateway(dialect, { env });
    const { login } = await gateway.addUser();
    const page = await logIn(gateway, { login, pass: PASSWORD, auto: '' });
    const [cookie = '', ...attributes] = page.headers.getSetCookie()[0]?.split('; ') ?? [];
    expect(cookie).toStartWith('__Host-zastava_session=');
    expect(attributes).toContain('Path=/');
    expect(attributes.filter((attribute) => attribute.startsWith('Domain'))).toEqual([]);
    expect(await isLoggedIn(gateway, cookie)).toBe(true);
    const tossed = cookie.replace('__Host-', '');
    expect(await isLoggedIn(gateway, tossed)).toBe(false);
    expect((await get(gateway, '/trast.php?url=a.ru&tp=3&h=0', tossed)).status).toBe(401);
    const out = await get(gateway, '/logout.php', cookie);
    expect(out.headers.getSetCookie()[0]).toStartWith('__Host-zastava_session=;');
    expect(await isLoggedIn(gateway, cookie)).toBe(false);
  });
}

function upper(text: string): string {
  return text.toUpperCase();
}
