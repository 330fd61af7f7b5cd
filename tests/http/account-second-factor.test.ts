/** The second factor of a user over HTTP: set up, requested on every interface, required, reset. */
import { describe, expect, test } from 'bun:test';
import { readConfig } from '../../src/config/index.ts';
import { stillClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, PASSWORD, type Gateway } from '../support/gateway.ts';
import { setUpSecondFactor } from '../support/second-factor.ts';

const fromPage = { 'x-zastava-page': '1', 'sec-fetch-site': 'same-origin' };
const required = { ZASTAVA_ADMIN_SECOND_FACTOR: 'required' };
const cookieOf = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** The answer of the cookie interface. */
async function formLogin(gateway: Gateway, login: string, pass: string): Promise<string> {
  const body = new URLSearchParams({ login, pass, auto: '' });
  return (await gateway.fetch('/login.php', { method: 'POST', body })).text();
}

test('the setting is off or required', () => {
  expect(readConfig({}).adminSecondFactor).toBe('off');
  expect(() => readConfig({ ZASTAVA_ADMIN_SECOND_FACTOR: 'yes' })).toThrow(
    'ZASTAVA_ADMIN_SECOND_FACTOR: ',
  );
});

for (const dialect of dialects) {
  describe(`${dialect}: a second factor`, () => {
    test('is set up, then requested at logins, password changes and its own removal', async () => {
      const clock = stillClock();
      await using gateway = await openGateway(dialect, { clock });
      const alice = await gateway.addUser();
      const { login } = alice;
      const state = (token: string) => gateway.data('/account/second-factor/', {}, { token });
      const none = { since: null, recovery_codes_left: 0, required: false };
      expect(await state(alice.token)).toEqual(none);
      const confirmAt = '/account/second-factor/confirm/';
      expect(await gateway.code(confirmAt, { code: '123456' }, alice)).toBe('not_found');
      const beginAt = '/account/second-factor/begin/';
      expect(await gateway.code(beginAt, { password: 'no' }, alice)).toBe('wrong_credentials');
      const { app, uri, codes } = await setUpSecondFactor(gateway, clock, alice);
      expect(uri).toBe(`otpauth://totp/Zastava:${login}?secret=${app.secret}&issuer=Zastava`);
      expect(codes).toHaveLength(10);
      // Sessions without a code have ended.
      expect(await gateway.code('/account/', {}, alice)).toBe('token_revoked');
      const given = { login, password: PASSWORD };
      const { status, body } = await gateway.post('/auth/login/', given);
      expect([status, body.error?.code]).toEqual([401, 'code_required']);
      expect(body.error?.message).toContain('`code`');
      const logIn = (code: string) =>
        gateway.data<{ token: string }>('/auth/login/', { ...given, code });
      const { token } = await logIn(app.next());
      expect(await state(token)).toMatchObject({ recovery_codes_left: 10 });
      expect(await gateway.code(beginAt, { password: PASSWORD }, { token })).toBe('forbidden');

      const change = { current_password: PASSWORD, new_password: 'another good password' };
      const changeAt = '/account/password/';
      expect(await gateway.code(changeAt, change, { token })).toBe('code_required');
      await gateway.data(changeAt, { ...change, code: codes[0] }, { token });
      given.password = change.new_password;

      const after = await logIn(app.next());
      for (const at of ['/account/second-factor/recovery-codes/', '/account/second-factor/end/']) {
        expect(await gateway.code(at, given, after)).toBe('code_required');
        const wrong = { password: PASSWORD, code: app.next() };
        expect(await gateway.code(at, wrong, after)).toBe('wrong_credentials');
        await gateway.data(at, { ...given, code: app.next() }, after);
      }
      expect(await state(after.token)).toEqual(none);
      const gone = { ...given, code: app.next() };
      expect(await gateway.code('/account/second-factor/end/', gone, after)).toBe('not_found');
      await gateway.login(login, given.password);
    });

    test('is requested by the web page and the cookie interface', async () => {
      const clock = stillClock();
      await using gateway = await openGateway(dialect, { clock });
      const { login } = await gateway.addUser();
      const given = { login, password: PASSWORD };
      const enter = (body: object) => gateway.post('/auth/session/', body, { headers: fromPage });
      const asPage = (headers: Headers) => ({
        headers: { ...fromPage, cookie: cookieOf(headers) },
      });
      const entered = asPage((await enter(given)).headers);
      const { app, codes, headers } = await setUpSecondFactor(gateway, clock, entered);
      // The page continues with the cookie of that answer; older ones are refused.
      const page = asPage(headers);
      expect(await gateway.code('/account/', {}, entered)).toBe('token_revoked');
      const { sessions } = await gateway.data<{ sessions: object[] }>(
        '/account/sessions/',
        {},
        page,
      );
      expect(sessions).toEqual([expect.objectContaining({ kind: 'page', is_current: true })]);

      expect((await enter(given)).body.error?.code).toBe('code_required');
      const { status } = await enter({ ...given, code: app.next() });
      expect(status).toBe(200);
      const confirmAt = '/auth/session/confirm/';
      expect(await gateway.code(confirmAt, given, page)).toBe('code_required');
      await gateway.data(confirmAt, { ...given, code: app.next() }, page);

      expect(await formLogin(gateway, login, PASSWORD)).toBe('no');
      expect(await formLogin(gateway, login, `${PASSWORD}000`)).toBe('no');
      const code = app.next();
      expect(await formLogin(gateway, login, `${PASSWORD}${code}`)).toBe('yes');
      expect(await formLogin(gateway, login, `${PASSWORD}${code}`)).toBe('no');
      // The form has no field for a recovery code, so none is used up.
      expect(await formLogin(gateway, login, `${PASSWORD}${codes[0]}`)).toBe('no');
      const bob = await gateway.addUser();
      expect(await formLogin(gateway, bob.login, `${PASSWORD}123456`)).toBe('no');
      expect(await formLogin(gateway, bob.login, PASSWORD)).toBe('yes');
    });

    test('can be required of operators and admins, who then can only set one up', async () => {
      const clock = stillClock();
      await using gateway = await openGateway(dialect, { clock, env: required });
      const users = [
        await gateway.addUser({ isAdmin: true }),
        await gateway.addUser({ isOperator: true }),
      ];
      for (const { userId, login } of users) {
        const given = { login, password: PASSWORD };
        const limited = await gateway.data<{ token: string }>('/auth/login/', given);
        expect(limited).toMatchObject({ must_set_up_second_factor: true });
        const { key } = await gateway.core.keys.create(userId, { name: 'made before' });
        for (const at of ['/account/', '/admin/users/', '/ai/room/', '/auth/refresh/']) {
          const { body } = await gateway.post(at, {}, limited);
          expect(body.error?.message).toStartWith('your role needs a second factor');
        }
        const keysAt = '/account/keys/';
        expect(await gateway.code(keysAt, { name: 'a' }, limited)).toBe('forbidden');
        expect(await formLogin(gateway, login, PASSWORD)).toBe('no');
        // API keys belong to programs, which could not enter a code.
        await gateway.data('/account/', {}, { token: key });
        const headers = fromPage;
        const entered = await gateway.post('/auth/session/', given, { headers });
        expect(entered.body.data).toMatchObject({ must_set_up_second_factor: true });
        const page = { headers: { ...fromPage, cookie: cookieOf(entered.headers) } };
        const show = async (cookie: string) =>
          gateway.data('/auth/session/show/', {}, { headers: { ...fromPage, cookie } });
        const { app, headers: answered } = await setUpSecondFactor(gateway, clock, page);
        const cookie = cookieOf(answered);
        expect(await show(cookie)).toMatchObject({
          session: { must_set_up_second_factor: false },
        });
        const full = await gateway.data<{ token: string }>('/auth/login/', {
          ...given,
          code: app.next(),
        });
        expect(full).not.toHaveProperty('must_set_up_second_factor');
        await gateway.data('/admin/users/', {}, full);
        await gateway.data(
          '/account/second-factor/end/',
          { password: PASSWORD, code: app.next() },
          full,
        );
        expect(await gateway.code('/admin/users/', {}, full)).toBe('forbidden');
      }
      const alice = await gateway.addUser();
      await gateway.data('/account/', {}, { token: await gateway.login(alice.login) });
      await gateway.core.users.setRole(alice.userId, 'operator', 'admin');
      expect(await gateway.code('/account/', {}, alice)).toBe('forbidden');
      expect(await gateway.data('/account/second-factor/', {}, alice)).toMatchObject({
        required: true,
      });
    });

    test('is reset by an operator, but not the operator’s own, nor an admin’s', async () => {
      const clock = stillClock();
      await using gateway = await openGateway(dialect, { clock });
      const at = '/admin/users/second-factor/reset/';
      const admin = await gateway.addUser({ isAdmin: true });
      const operator = await gateway.addUser({ isOperator: true });
      const alice = await gateway.addUser();
      const { login } = alice;
      expect(await gateway.code(at, { login }, operator)).toBe('not_found');
      await setUpSecondFactor(gateway, clock, alice);
      expect(await gateway.code(at, { login }, alice)).toBe('token_revoked');
      const bob = await gateway.addUser();
      expect(await gateway.code(at, { login }, bob)).toBe('forbidden');
      expect(await gateway.code(at, { login })).toBe('unauthenticated');
      expect(await gateway.code(at, { login: admin.login }, operator)).toBe('forbidden');
      expect(await gateway.code(at, { login: operator.login }, operator)).toBe('forbidden');
      const given = { login: operator.login, password: PASSWORD };
      const { headers } = await gateway.post('/auth/session/', given, { headers: fromPage });
      const page = { headers: { ...fromPage, cookie: cookieOf(headers) } };
      clock.forward(61_000);
      expect(await gateway.code(at, { login }, page)).toBe('password_required');
      expect(await gateway.data(at, { login }, operator)).toEqual({ login, reset: true });
      await gateway.login(login);
      const { entries } = await gateway.data<{ entries: object[] }>('/admin/audit/', {}, admin);
      expect(entries[0]).toMatchObject({
        action: 'user_second_factor_reset',
        by: operator.login,
        login,
      });
    });
  });
}
