/** Registering, with and without an invitation, and the operator's side of invitations. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway, type Gateway, type TestUser } from '../support/gateway.ts';
import { expectBooksHold } from '../support/world.ts';

interface Made {
  invitation: { id: number; uses: number };
  code: string;
  link: string;
}

const REGISTER = '/auth/register/';
const PASSWORD = 'a password of mine';
/** Well-formed, but no invitation's code. */
const UNKNOWN = '6EUQ-NE3Y-SLXG-7AW4-87MJ-M23C-456F-K9KJ';
const ON = { env: { ZASTAVA_REGISTRATION: 'invitation' } };

const invite = (gateway: Gateway, operator: TestUser, body: object = {}) =>
  gateway.data<Made>('/admin/invitations/create/', body, operator);

for (const dialect of dialects) {
  describe(`registration (${dialect})`, () => {
    test('is off by default, also with an invitation', async () => {
      await using gateway = await openGateway(dialect);
      const operator = await gateway.addUser({ isOperator: true });
      const { code } = await invite(gateway, operator);
      const body = { login: 'bob', password: PASSWORD, code };
      expect(await gateway.code(REGISTER, body)).toBe('forbidden');
      expect(await gateway.code('/auth/register/show/', { code })).toBe('forbidden');
      expect(await gateway.data<object>('/auth/register/show/')).toEqual({
        registration: 'off',
        invitation: null,
      });
    });

    test('by invitation gives its credit and limits, and counts each use on all nodes', async () => {
      await using gateway = await openGateway(dialect, ON);
      await using second = await openGateway(dialect, { ...ON, database: gateway.database });
      const operator = await gateway.addUser({ isOperator: true });
      const { code, link, invitation } = await invite(gateway, operator, {
        uses: 3,
        credit: '12.5',
        requests_per_minute: 7,
        rubles_per_day: 5,
        note: 'team',
      });
      expect(link).toEndWith(`/app/register#${code}`);
      const shown = await gateway.data<object>('/auth/register/show/', { code });
      expect(shown).toMatchObject({ registration: 'invitation', invitation: { credit: 12.5 } });
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          (at % 2 === 0 ? gateway : second).post(REGISTER, {
            login: `bob-${at}`,
            password: PASSWORD,
            code,
          }),
        ),
      );
      const codes = answers.map(({ body }) => body.error?.code ?? 'ok');
      expect(codes.filter((one) => one === 'ok')).toHaveLength(3);
      expect(codes.filter((one) => one === 'invitation_ended')).toHaveLength(9);

      const { id } = invitation;
      const found = await gateway.data<{ invitation: object; users: { login: string }[] }>(
        '/admin/invitations/show/',
        { id },
        operator,
      );
      expect(found.invitation).toMatchObject({ uses: 3, uses_max: 3, made_by: operator.login });
      expect(found.users).toHaveLength(3);
      const login = found.users[0]?.login ?? '';
      const token = await gateway.login(login, PASSWORD);
      expect(await gateway.data<object>('/account/', {}, { token })).toMatchObject({
        balance: 12.5,
        role: 'user',
        limits: { requests_per_minute: 7, tokens_per_minute: null, rubles_per_day: 5 },
      });
      const { transactions } = await gateway.data<{ transactions: object[] }>(
        '/account/transactions/',
        {},
        { token },
      );
      expect(transactions).toMatchObject([{ kind: 'top_up', made_by: `invitation ${id}` }]);
      await expectBooksHold(gateway);
    });

    test('refuses an ended, unknown, mistyped or missing code, whether the login exists or not', async () => {
      let now = Date.now();
      const clock = { now: () => now, monotonic: () => performance.now() };
      await using gateway = await openGateway(dialect, { ...ON, clock });
      const operator = await gateway.addUser({ isOperator: true });
      const { login } = await gateway.addUser();
      const short = await invite(gateway, operator, { expires_at: Math.floor(now / 1000) + 60 });
      const revoked = await invite(gateway, operator);
      await gateway.data('/admin/invitations/revoke/', revoked.invitation, operator);
      const good = await invite(gateway, operator);
      now += 61_000;
      const register = (body: object) => gateway.code(REGISTER, { password: PASSWORD, ...body });
      for (const name of [login, 'nobody']) {
        expect(await register({ login: name, code: short.code })).toBe('invitation_ended');
        expect(await register({ login: name, code: revoked.code })).toBe('invitation_ended');
        expect(await register({ login: name, code: UNKNOWN })).toBe('not_found');
        expect(await register({ login: name })).toBe('invalid_request');
        expect(await register({ login: name, code: 'x' })).toBe('invalid_request');
      }
      // With a valid code, a login that is taken uses nothing up.
      expect(await register({ login: login.toUpperCase(), code: good.code })).toBe(
        'invalid_request',
      );
      for (const password of ['short', 'Password1', 'QwertyUiop']) {
        const body = { login: 'eve', code: good.code, password };
        const answer = (await gateway.post(REGISTER, body)).body.error;
        expect(answer).toMatchObject({ code: 'invalid_request', details: [{ path: 'password' }] });
      }
      await gateway.data(REGISTER, { login: 'eve', password: PASSWORD, code: good.code });
      const list = await gateway.data<object>('/admin/invitations/', {}, operator);
      expect(list).toMatchObject({
        registration: 'invitation',
        invitations: [{ uses: 1 }, { uses: 0, revoked_at: expect.any(Number) }, { uses: 0 }],
      });
    });

    test('that is open needs no invitation, and is throttled by address', async () => {
      const env = { ZASTAVA_REGISTRATION: 'open' };
      await using gateway = await openGateway(dialect, { env });
      const operator = await gateway.addUser({ isOperator: true });
      expect(await gateway.data<object>(REGISTER, { login: 'bob', password: PASSWORD })).toEqual({
        login: 'bob',
        balance: 0,
      });
      // Of 20 attempts one is used; testing whether logins exist uses up the others.
      const codes = await Promise.all(
        Array.from({ length: 22 }, () =>
          gateway.code(REGISTER, { login: 'bob', password: PASSWORD }),
        ),
      );
      expect(codes.filter((code) => code === 'invalid_request')).toHaveLength(19);
      expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(3);
      const { code } = await invite(gateway, operator);
      const body = { login: 'carol', password: PASSWORD, code };
      expect(await gateway.code(REGISTER, body)).toBe('too_many_attempts');
    });

    test('takes only invitations within bounds', async () => {
      await using gateway = await openGateway(dialect);
      const operator = await gateway.addUser({ isOperator: true });
      const bad = [
        { uses: 0 },
        { uses: 100_001 },
        { uses: 2, credit: 8_000_000_000 },
        { credit: -1 },
        { requests_per_minute: 0 },
        { models: [] },
        { models: [404] },
        { expires_at: 1 },
        { note: 'x'.repeat(201) },
      ];
      for (const body of bad) {
        const code = await gateway.code('/admin/invitations/create/', body, operator);
        expect({ body, code }).toEqual({ body, code: 'invalid_request' });
      }
    });
  });
}
