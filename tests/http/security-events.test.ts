/** The log names the acts of admins, their targets, and acts that were attempted without the right. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway, PASSWORD } from '../support/gateway.ts';
import { readDocument } from '../support/openapi.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

/** These change nothing and show no texts, so that a page which requests them each second fills no log. */
const unlogged = [
  '/admin/attempts/',
  '/admin/audit/',
  '/admin/catalogue/',
  '/admin/catalogue/versions/',
  '/admin/catalogue/yaml/',
  '/admin/invitations/',
  '/admin/invitations/show/',
  '/admin/keys/',
  '/admin/ledger/verify/',
  '/admin/reconcile/',
  '/admin/report/',
  '/admin/status/',
  '/admin/trust/jobs/',
  '/admin/trust/releases/',
  '/admin/trust/seeds/',
  '/admin/usage/',
  '/admin/users/',
  '/admin/users/show/',
  '/admin/users/transactions/',
  '/admin/users/usage/',
  '/admin/vouchers/',
  '/admin/vouchers/show/',
];

for (const dialect of dialects) {
  describe(`${dialect}: the log contains`, () => {
    test('each action of an admin: who, what, whom, from where, the outcome, without a secret', async () => {
      const logged: LogLine[] = [];
      await using gateway = await openGateway(dialect, { log: recordingLog(logged) });
      const admin = await gateway.addUser({ isAdmin: true });
      const { login } = await gateway.addUser();
      const id = 'a-sane-request-id';
      const headers = { 'x-request-id': id };
      const call = (path: string, body: object, token = admin.token) =>
        gateway.post(path, body, { token, headers });
      await call('/admin/users/block/', { login });
      await call('/admin/users/password/', { login, password: 'another good password' });
      await call('/admin/users/password/', { login, password: 'short' });
      await call('/admin/users/credit/', { login: 'nobody', amount: 1, reason: 'invoice 17' });
      await call('/admin/catalogue/apply/', { yaml: 'models: []', dry_run: true });
      await call('/admin/users/unblock/', { login });
      const made = await call('/admin/keys/create/', { login, name: 'of the operator' });
      const key = made.body.data as { id: string; key: string };
      const own = await call('/account/keys/', { name: 'own', scope: 'admin' });
      const ownKey = own.body.data as { id: string; key: string };
      await call('/admin/keys/revoke/', { id: key.id }, ownKey.key);
      const by = { by: admin.userId, by_login: admin.login };
      const from = { address: '127.0.0.1', request_id: id };
      const action = (path: string, outcome: string, about: object = { login }) => ({
        event: 'admin_action',
        path,
        outcome,
        ...by,
        ...about,
        ...from,
      });
      const lines = logged
        .filter(({ event }) => event === 'admin_action')
        .map(({ level: _level, msg: _msg, ...facts }) => facts);
      expect(lines).toEqual([
        action('/admin/users/block/', 'ok'),
        action('/admin/users/password/', 'ok'),
        action('/admin/users/password/', 'invalid_request'),
        action('/admin/users/credit/', 'not_found', { login: 'nobody' }),
        action('/admin/catalogue/apply/', 'ok', {}),
        action('/admin/users/unblock/', 'ok'),
        action('/admin/keys/create/', 'ok'),
        action('/admin/keys/revoke/', 'ok', { by_key: ownKey.id, key: key.id }),
      ]);
      const secrets = [PASSWORD, 'another good password', key.key, ownKey.key, admin.token];
      const text = JSON.stringify(logged);
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    });

    test('every admin operation except those that only read', async () => {
      const logged: LogLine[] = [];
      await using gateway = await openGateway(dialect, { log: recordingLog(logged) });
      const { token } = await gateway.addUser({ isAdmin: true });
      const { login } = await gateway.addUser();
      const document = await readDocument(await gateway.fetch('/openapi.json'));
      const paths = Object.keys(document.paths).filter((path) => path.startsWith('/admin/'));
      const bodies: Record<string, object> = {
        '/admin/users/add/': { login: 'new' },
        '/admin/users/credit/': { login, amount: 1, reason: 'test' },
        '/admin/users/refund/': { login, message_id: 1, reason: 'test' },
        '/admin/refunds/': { model_id: 1, from: 0, to: 1, reason: 'test' },
        '/admin/users/limit/': { login, limit: 1 },
        '/admin/users/password/': { login, password: PASSWORD },
        '/admin/users/role/': { login, role: 'user' },
        '/admin/attempts/': { login, message_id: 1 },
        '/admin/keys/create/': { login, name: 'x' },
        '/admin/keys/limit/': { id: 'none' },
        '/admin/keys/rotate/': { id: 'none' },
        '/admin/keys/revoke/': { id: 'none' },
        '/admin/invitations/revoke/': { id: 1 },
        '/admin/vouchers/create/': { count: 1, amount: 1 },
        '/admin/vouchers/revoke/': { id: 1 },
        '/admin/catalogue/apply/': { yaml: 'models: []', dry_run: true },
        '/admin/catalogue/price/': { id: 1, price: null },
        '/admin/catalogue/import/': { list: {}, usd_rate: '90' },
        '/admin/trust/import/': { vertices: 'http://127.0.0.1:1/v', edges: 'http://127.0.0.1:1/e' },
        '/admin/trust/jobs/stop/': { id: 'none' },
        '/admin/trust/releases/use/': { release: 'none' },
        '/admin/trust/releases/remove/': { release: 'none' },
        '/admin/trust/seeds/add/': { kind: 'spam', domains: ['a.com'] },
        '/admin/trust/seeds/remove/': { domains: ['a.com'] },
      };
      const missing: string[] = [];
      for (const path of paths) {
        logged.length = 0;
        await gateway.fetch(path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(bodies[path] ?? { login }),
        });
        const names = logged
          .filter(({ event }) => event === 'admin_action')
          .map(({ path: at }) => at);
        if (names.length === 0) missing.push(path);
        else expect(names).toEqual([path]);
      }
      expect(missing.toSorted()).toEqual(unlogged);
    });

    test('attempts without admin rights, in one line for any number', async () => {
      const logged: LogLine[] = [];
      await using gateway = await openGateway(dialect, { log: recordingLog(logged) });
      const { token, userId, login } = await gateway.addUser();
      for (let times = 0; times < 20; times++) {
        expect(await gateway.code('/admin/users/', {}, { token })).toBe('forbidden');
      }
      const refused = () => logged.filter(({ event }) => event === 'access_refused');
      expect(refused()).toMatchObject([
        { reason: 'admins_only', count: 1, user: userId, login, path: '/admin/users/' },
      ]);
      gateway.core.security.flush(true);
      expect(refused().map(({ count }) => count)).toEqual([1, 19]);
    });
  });
}
