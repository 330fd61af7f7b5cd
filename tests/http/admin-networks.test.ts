/** ZASTAVA_ADMIN_NETWORKS: the addresses from which admins may act, and ZASTAVA_LEGACY. */
import { expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';

const PROXY = '127.0.0.1';

test.each(dialects)('%s: admin operations are for the listed networks only', async (dialect) => {
  const env = {
    ZASTAVA_ADMIN_NETWORKS: '10.0.0.0/8,2001:db8::/32',
    ZASTAVA_TRUSTED_PROXIES: PROXY,
  };
  await using gateway = await openGateway(dialect, { env });
  const { token } = await gateway.addUser({ isAdmin: true });
  const statusFrom = async (headers: Record<string, string>, path = '/admin/users/') =>
    (await gateway.post(path, {}, { token, headers })).status;
  for (const address of ['10.1.2.3', '2001:db8::1', '192.0.2.1, 10.1.2.3']) {
    expect(await statusFrom({ 'x-forwarded-for': address })).toBe(200);
  }
  for (const address of ['192.0.2.1', '2001:db9::1', '10.1.2.3, 192.0.2.1', 'unknown', '']) {
    expect([address, await statusFrom({ 'x-forwarded-for': address })]).toEqual([address, 403]);
  }
  expect(await statusFrom({})).toBe(403);
  expect(await statusFrom({ 'x-forwarded-for': '192.0.2.1' }, '/account/')).toBe(200);
  const refused = await gateway.post('/admin/users/', {}, { token });
  expect(refused.body.error?.code).toBe('forbidden');
  // Even without a credential: the address is checked first.
  expect((await gateway.post('/admin/users/', {})).status).toBe(403);
});

test.each(dialects)('%s: the header of an untrusted proxy is ignored', async (dialect) => {
  const env = { ZASTAVA_ADMIN_NETWORKS: '127.0.0.0/8' };
  await using gateway = await openGateway(dialect, { env });
  const { token } = await gateway.addUser({ isAdmin: true });
  const statusWith = async (headers: Record<string, string>) =>
    (await gateway.post('/admin/users/', {}, { token, headers })).status;
  expect(await statusWith({})).toBe(200);
  for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip', 'via']) {
    expect([name, await statusWith({ [name]: '192.0.2.1' })]).toEqual([name, 403]);
  }
});

test.each(dialects)('%s: ZASTAVA_LEGACY=off closes the cookie interface', async (dialect) => {
  await using gateway = await openGateway(dialect, { env: { ZASTAVA_LEGACY: 'off' } });
  const { token, login } = await gateway.addUser();
  const doors = [
    ['POST', '/'],
    ['POST', '/login.php'],
    ['GET', '/login.php'],
    ['GET', '/logout.php'],
    ['GET', '/trast.php?url=a.ru&tp=3&h=0'],
    ['DELETE', '/trast.php'],
  ] as const;
  for (const [method, path] of doors) {
    const headers = { cookie: `zastava_session=${token}` };
    const body = method === 'POST' ? new URLSearchParams({ login, pass: 'x' }) : null;
    const answer = await gateway.fetch(path, { method, headers, body });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
  }
  expect((await gateway.post('/account/', {}, { token })).status).toBe(200);
});
