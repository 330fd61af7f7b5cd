/** What a real server accepts and from whom: only a real server sees request targets exactly as they were sent. */
import { expect, test } from 'bun:test';
import { DISGUISED, statusOf } from '../support/raw-target.ts';
import { logIn, openInstallation, printedPassword } from './installation.ts';

/** Spellings of a path that every proxy reads alike. */
const PLAIN = ['/admin/users/', 'http://127.0.0.1/admin/users/'];
/** Also: more segments than any path has, empty ones, and dot segments of the same length. */
const MORE_DISGUISED = [
  '/a/b/c/d/e/f/g/../../../../../../../admin/users/',
  '/x//../../admin/users/',
  '/x/../admin//../admin/users/',
  '/admin/./users',
  '/admin/x/../users/',
  '/admin/%75sers/',
];

async function openWithAdmin(env: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack();
  const installation = stack.use(await openInstallation());
  const server = await installation.serve();
  const token = await logIn(server.url, 'admin', printedPassword(server.out()));
  server.signal('SIGTERM');
  await server.exited;
  const { url } = await installation.serve(env);
  const kept = stack.move();
  return { url, token, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

test('a target that a proxy may read as another path is refused', async () => {
  await using opened = await openWithAdmin();
  const passed: string[] = [];
  for (const target of [...DISGUISED, ...MORE_DISGUISED]) {
    if ((await statusOf(opened.url, target, opened.token)) === 200) passed.push(target);
  }
  expect(passed).toEqual(PLAIN);
  expect(await statusOf(opened.url, '/x/..\\admin/users/', opened.token)).toBe(400);
  expect(await statusOf(opened.url, '/x/../admin/users/', opened.token)).toBe(400);
  expect(await statusOf(opened.url, '/x/%2E%2e/admin/users/', opened.token)).toBe(400);
  for (const target of ['/account', '/account/', '/account/?x=/../']) {
    expect([target, await statusOf(opened.url, target, opened.token)]).toEqual([target, 200]);
  }
});

test('a request with two Host headers is refused', async () => {
  await using opened = await openWithAdmin();
  const status = (more: string[]) => statusOf(opened.url, '/account/', opened.token, more);
  expect(await status([])).toBe(200);
  expect(await status(['Host: other.example'])).toBe(400);
});

test('ZASTAVA_ADMIN_NETWORKS closes admin operations in every spelling', async () => {
  await using opened = await openWithAdmin({ ZASTAVA_ADMIN_NETWORKS: '10.0.0.0/8, fd00::/8' });
  for (const target of [...DISGUISED, ...MORE_DISGUISED]) {
    expect([target, await statusOf(opened.url, target, opened.token)]).not.toEqual([target, 200]);
  }
  expect(await statusOf(opened.url, '/admin/users/', opened.token)).toBe(403);
  expect(await statusOf(opened.url, '/account/', opened.token)).toBe(200);
});
