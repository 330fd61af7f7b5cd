/** The session of the web page: its cookie counts only in the page's own requests. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openGateway, PASSWORD, type Gateway, type TestUser } from '../support/gateway.ts';
import { dialects } from '../support/databases.ts';
import { movableClock } from '../support/clock.ts';

const fromPage = { 'x-zastava-page': '1', 'sec-fetch-site': 'same-origin' };
const HOUR_MS = 3_600_000;

describe.each(dialects)('%s: the session of the page', (dialect) => {
  let gateway: Gateway;
  let alice: TestUser;
  const clock = movableClock();

  beforeAll(async () => {
    gateway = await openGateway(dialect, { clock });
    alice = await gateway.addUser();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const logIn = async (headers: Record<string, string> = fromPage) =>
    gateway.post('/auth/session/', { login: alice.login, password: PASSWORD }, { headers });
  const cookieOf = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

  test('a login sets a cookie that scripts cannot read, and shows no token', async () => {
    const { status, body, headers } = await logIn();
    expect(status).toBe(200);
    expect(Object.keys(body.data as object).sort()).toEqual([
      'expired_at',
      'is_admin',
      'login',
      'must_change_password',
      'must_set_up_second_factor',
      'role',
    ]);
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^zastava_page=[\w.-]+; /);
    for (const word of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(word);
  });

  test.each([
    ['without the header of the page', { 'sec-fetch-site': 'same-origin' }],
    ['from another site', { ...fromPage, 'sec-fetch-site': 'cross-site' }],
    ['from a neighbouring site', { ...fromPage, 'sec-fetch-site': 'same-site' }],
    ['by an address line', { ...fromPage, 'sec-fetch-site': 'none' }],
    ['by a program', { 'x-zastava-page': '1' }],
    ['with another origin', { 'x-zastava-page': '1', origin: 'http://other.example' }],
  ])('a request %s has no session, and logs nobody in', async (_, headers) => {
    const cookie = cookieOf((await logIn()).headers);
    expect(await gateway.code('/account/', {}, { headers: { ...headers, cookie } })).toBe(
      'unauthenticated',
    );
    expect((await logIn(headers as Record<string, string>)).body.error?.code).toBe('forbidden');
  });

  test('without Sec-Fetch-Site, the origin has to be the host', async () => {
    const headers = { 'x-zastava-page': '1', origin: 'http://chat.example', host: 'chat.example' };
    const cookie = cookieOf((await logIn(headers)).headers);
    const { status } = await gateway.post('/account/', {}, { headers: { ...headers, cookie } });
    expect(status).toBe(200);
  });

  test('the cookie is not accepted as a bearer token, nor a bearer token as a cookie', async () => {
    const cookie = cookieOf((await logIn()).headers);
    const token = cookie.slice('zastava_page='.length);
    expect(await gateway.code('/account/', {}, { token })).toBe('invalid_token');
    const headers = { ...fromPage, cookie: `zastava_page=${alice.token}` };
    expect(await gateway.code('/account/', {}, { headers })).toBe('invalid_token');
  });

  test('the cookie opens neither the compatible interfaces nor the cookie interface', async () => {
    const cookie = cookieOf((await logIn()).headers);
    const headers = { ...fromPage, cookie };
    const models = await gateway.fetch('/v1/models', { headers });
    expect(models.status).toBe(401);
    const legacy = await gateway.fetch('/login.php', { headers });
    expect(await legacy.text()).toBe('no');
  });

  test('a session in use continues, and an unused one ends after 12 hours', async () => {
    const first = cookieOf((await logIn()).headers);
    const account = (cookie: string) =>
      gateway.post('/account/', {}, { headers: { ...fromPage, cookie } });
    expect((await account(first)).headers.get('set-cookie')).toBeNull();
    clock.forward(11 * HOUR_MS);
    const renewed = await account(first);
    expect(renewed.status).toBe(200);
    const second = cookieOf(renewed.headers);
    expect(second).not.toBe(first);
    clock.forward(2 * HOUR_MS);
    expect((await account(first)).body.error?.code).toBe('token_expired');
    expect((await account(second)).status).toBe(200);
    clock.forward(13 * HOUR_MS);
    expect((await account(second)).body.error?.code).toBe('token_expired');
  });

  test('very harmful acts ask for the password again, only on the page', async () => {
    const admin = await gateway.addUser({ isAdmin: true });
    const login = { login: admin.login, password: PASSWORD };
    const entered = await gateway.post('/auth/session/', login, { headers: fromPage });
    let cookie = cookieOf(entered.headers);
    const asPage = (path: string, body: object) =>
      gateway.post(path, body, { headers: { ...fromPage, cookie } });
    const codeOf = async (path: string, body: object) =>
      (await asPage(path, body)).body.error?.code ?? 'ok';
    const victim = await gateway.addUser();
    const credit = { login: alice.login, amount: '1', reason: 'test' };
    const all = async () => ({
      credit: await codeOf('/admin/users/credit/', credit),
      ownKey: await codeOf('/account/keys/', { name: 'all' }),
      key: await codeOf('/admin/keys/create/', { login: admin.login, name: 'all', scope: 'admin' }),
      fullKey: await codeOf('/account/keys/', { name: 'some', scope: 'full' }),
    });
    const erase = () => codeOf('/admin/users/erase/', { login: victim.login });
    clock.forward(61_000);
    const required = 'password_required';
    expect(await all()).toEqual({ credit: 'ok', ownKey: required, key: required, fullKey: 'ok' });
    clock.forward(14 * 60_000);
    expect(await all()).toEqual({
      credit: required,
      ownKey: required,
      key: required,
      fullKey: 'ok',
    });
    expect(await erase()).toBe(required);
    expect(await codeOf('/auth/session/confirm/', { password: 'wrong' })).toBe('wrong_credentials');
    const confirmed = await asPage('/auth/session/confirm/', { password: PASSWORD });
    const old = cookie;
    cookie = cookieOf(confirmed.headers);
    expect(await all()).toEqual({ credit: 'ok', ownKey: 'ok', key: 'ok', fullKey: 'ok' });
    expect(await erase()).toBe('ok');
    // The renewal of a session does not confirm it.
    clock.forward(2 * HOUR_MS);
    cookie = cookieOf((await asPage('/account/', {})).headers);
    expect((await all()).credit).toBe(required);
    const token = await gateway.login(admin.login);
    clock.forward(HOUR_MS / 2);
    expect((await gateway.post('/admin/users/credit/', credit, { token })).status).toBe(200);
    expect(await gateway.code('/auth/session/confirm/', { password: PASSWORD }, { token })).toBe(
      'forbidden',
    );
    // It is one session: ending it ends its older cookies.
    await asPage('/auth/session/end/', {});
    cookie = old;
    expect(await codeOf('/account/', {})).toBe('token_revoked');
  });

  test('logging out ends every cookie of the session, and empties the browser', async () => {
    const first = cookieOf((await logIn()).headers);
    clock.forward(2 * HOUR_MS);
    const headers = (cookie: string) => ({ headers: { ...fromPage, cookie } });
    const second = cookieOf((await gateway.post('/account/', {}, headers(first))).headers);
    const ended = await gateway.post('/auth/session/end/', {}, headers(second));
    expect(ended.status).toBe(200);
    expect(ended.headers.get('set-cookie')).toMatch(/^zastava_page=; .*Expires=Thu, 01 Jan 1970/);
    expect(ended.headers.get('clear-site-data')).toBe('"cache", "storage"');
    for (const cookie of [first, second]) {
      expect(await gateway.code('/account/', {}, headers(cookie))).toBe('token_revoked');
      expect(await gateway.data('/auth/session/show/', {}, headers(cookie))).toEqual({
        session: null,
      });
    }
  });
});

test('behind https, no other host can set the cookie', async () => {
  await using gateway = await openGateway('sqlite', {
    env: { ZASTAVA_PUBLIC_URL: 'https://chat.example' },
  });
  const { login } = await gateway.addUser();
  const { headers } = await gateway.post(
    '/auth/session/',
    { login, password: PASSWORD },
    { headers: fromPage },
  );
  const cookie = headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^__Host-zastava_page=/);
  expect(cookie).toContain('Secure');
});
