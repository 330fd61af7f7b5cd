/** The audit: every administrative act over HTTP leaves one row, and nothing else does. */
import { describe, expect, test } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Core } from '../../src/core.ts';
import { operationsOf } from '../../src/http/operations.ts';
import type { OperationParts } from '../../src/http/operation-parts.ts';
import { steadyToday } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { changedTables, tableDigests } from '../support/table-digests.ts';
import { openWorld, sharedWorld, TEXT_MODEL } from '../support/world.ts';
import { adminRequests, withoutRequest } from './native-requests.ts';

interface Entry {
  id: number;
  action: string;
  login: string | null;
  by: string | null;
  [field: string]: unknown;
}

/** Stands for any module: the list of operations only passes them on. */
const anything: unknown = new Proxy(() => undefined, { get: () => anything });
const operations = operationsOf(anything as OperationParts).filter(
  ({ access }) => access === 'operator' || access === 'admin',
);
const actOf = new Map(operations.map(({ path, act }) => [path as string, act]));

/** Operations whose requests in native-requests.ts change nothing, with bodies that do. */
function changing(login: string): [path: string, body: Record<string, unknown>][] {
  const price = { cost_input_tokens_rub: '77', cost_output_tokens_rub: '88' };
  const listed = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6 };
  const list = { 'scripted-text': { ...listed, output_cost_per_token: 2e-6 } };
  const imported = { list, usd_rate: '92.5', map: { scripted: 'openai' }, apply: true };
  return [
    ['/admin/catalogue/price/', { id: TEXT_MODEL, price }],
    ['/admin/catalogue/import/', imported],
    ['/admin/catalogue/apply/', { yaml: 'models: []' }],
    ['/admin/trust/seeds/remove/', { source: 'nobody' }],
    ['/admin/trust/rank/', {}],
    ['/admin/users/credit/', { login, amount: '-1000000', reason: 'too much' }],
  ];
}

async function rowsOf({ db }: Core): Promise<{ action: string; details: string }[]> {
  return db.query('SELECT action, details FROM audit_entries ORDER BY number');
}

for (const dialect of dialects) {
  describe(`${dialect}: the audit`, () => {
    test('has a row for each request that changes something, and for no other', async () => {
      await using world = await openWorld(dialect);
      const { gateway } = world;
      const [alice, admin] = [await world.user(), await world.user({ isAdmin: true })];
      const requests = [
        ...(await adminRequests(gateway, alice, admin)).map(
          ([path, body, token]) => [path, body, token] as const,
        ),
        ...changing(alice.login).map(([path, body]) => [path, body, admin.token] as const),
      ];
      // A release that is no longer needed: an abandoned import.
      await mkdir(join(gateway.dataDir, 'trust/imports/left'), { recursive: true });
      requests.push(['/admin/trust/releases/remove/', { release: 'left' }, admin.token]);
      for (const [path, body, token] of requests) {
        const before = await tableDigests(gateway.core.db);
        const rows = (await rowsOf(gateway.core)).length;
        const { status } = await gateway.post(path, body, { token });
        const added = (await rowsOf(gateway.core)).slice(rows).map(({ action }) => action);
        const changed = changedTables(before, await tableDigests(gateway.core.db));
        const act = actOf.get(path);
        if (act === undefined || status !== 200)
          expect([path, changed, added]).toEqual([path, [], []]);
        else if (changed.length > 0 || added.length > 0)
          expect([path, added]).toEqual([path, [act]]);
      }
      const acted = new Set((await rowsOf(gateway.core)).map(({ action }) => action));
      const silent = operations.filter(
        ({ path, act }) => act !== undefined && !acted.has(act) && !(path in withoutRequest),
      );
      expect(silent.map(({ path }) => path)).toEqual([]);
    });

    describe('records', () => {
      const world = sharedWorld(dialect);
      const list = async (body: object = {}, token = '') =>
        (await world().gateway.data<{ entries: Entry[] }>('/admin/audit/', body, { token }))
          .entries;

      test('who did what to whom, from where, before and after', async () => {
        const { gateway, user } = world();
        const [alice, admin] = [await user({ credit: 10 }), await user({ isAdmin: true })];
        const { key, id } = await gateway.core.keys.create(admin.userId, { name: 'shop' });
        const body = { login: alice.login, amount: '5.5', reason: 'secret reason' };
        const { headers } = await gateway.post('/admin/users/credit/', body, { token: key });
        const [credited] = await list({ user: alice.login }, admin.token);
        expect(credited).toMatchObject({
          action: 'user_credited',
          origin: 'http',
          by: admin.login,
          by_key: id,
          address: '127.0.0.1',
          system_user: null,
          login: alice.login,
          before: { balance: 10 },
          after: { balance: 15.5 },
          changes: [],
          request_id: headers.get('x-request-id'),
        });
        const quota = { login: alice.login, requests_per_minute: 5, models: [TEXT_MODEL] };
        await gateway.data('/admin/users/quota/', quota, admin);
        const [limited] = await list({ user: alice.login, limit: 1 }, admin.token);
        expect(limited).toMatchObject({
          before: { requests_per_minute: null, models: null },
          after: { requests_per_minute: 5, models: String(TEXT_MODEL) },
        });
      });

      test('nothing of an act that failed', async () => {
        const { gateway, user } = world();
        const [alice, admin] = [await user({ credit: 1 }), await user({ isAdmin: true })];
        const post = (path: string, body: object) => gateway.code(`/admin/${path}/`, body, admin);
        const { login } = alice;
        await post('users/credit', { login, amount: '-2', reason: 'too much' });
        await post('users/add', { login, credit: '5' });
        await post('users/block', { login: admin.login });
        await post('users/limit', { login, limit: '9000000000' });
        await post('keys/create', { login, name: ' ' });
        await post('keys/revoke', { id: 'none' });
        expect(await list({ by: admin.login }, admin.token)).toEqual([]);
      });

      test('no passwords, keys or logins', async () => {
        const { gateway, user } = world();
        const admin = await user({ isAdmin: true });
        const login = 'about-to-be-forgotten';
        const password = 'a password for nobody';
        const added = await gateway.data<{ user: { id: number } }>(
          '/admin/users/add/',
          { login, password },
          admin,
        );
        await gateway.data('/admin/users/password/', { login, password }, admin);
        const made = await gateway.data<{ key: string }>(
          '/admin/keys/create/',
          { login, name: login },
          admin,
        );
        await gateway.data('/admin/users/erase/', { login }, admin);
        const stored = JSON.stringify(await gateway.core.db.query('SELECT * FROM audit_entries'));
        for (const secret of [login, password, made.key]) expect(stored).not.toContain(secret);
        const shown = await list({ by: admin.login }, admin.token);
        expect(shown.map(({ action, login: of }) => [action, of])).toEqual(
          ['user_erased', 'key_created', 'user_password_set', 'user_added'].map((action) => [
            action,
            `erased-${added.user.id}`,
          ]),
        );
      });

      test('what is requested, in pages', async () => {
        const today = await steadyToday();
        const { gateway, user } = world();
        const [alice, admin] = [await user(), await user({ isAdmin: true })];
        const { login } = alice;
        for (const path of ['block', 'unblock', 'block', 'unblock']) {
          await gateway.data(`/admin/users/${path}/`, { login }, admin);
        }
        const all = await list({ user: login }, admin.token);
        expect(all.map(({ action }) => action)).toEqual([
          'user_unblocked',
          'user_blocked',
          'user_unblocked',
          'user_blocked',
        ]);
        const [first] = await list({ user: login, limit: 1 }, admin.token);
        const rest = await list({ user: login, before: first?.id }, admin.token);
        expect([first, ...rest] as Entry[]).toEqual(all);
        const blocks = await list({ user: login, action: 'user_blocked' }, admin.token);
        expect(blocks).toEqual(all.filter(({ action }) => action === 'user_blocked'));
        const of = { user: login, by: admin.login, origin: 'http' };
        expect(await list({ ...of, from: today, to: today }, admin.token)).toEqual(all);
        expect(await list({ ...of, to: '2020-01-01' }, admin.token)).toEqual([]);
        expect(await list({ ...of, origin: 'command' }, admin.token)).toEqual([]);
        const code = (body: object, { token } = admin) =>
          gateway.code('/admin/audit/', body, { token });
        expect(await code({ user: 'nobody-at-all' })).toBe('not_found');
        expect(await code({ from: '2026-02-01', to: '2026-01-01' })).toBe('invalid_request');
        expect(await code({ action: 'nothing' })).toBe('invalid_request');
        expect(await code({}, await user())).toBe('forbidden');
      });
    });
  });
}
