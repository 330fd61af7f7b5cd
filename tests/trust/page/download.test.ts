/** Downloads of large files pass the same guard as pages, with other limits. */
import { expect, test } from 'bun:test';
import { systemClock } from '../../../src/lib/clock.ts';
import { GuardedFetch } from '../../../src/trust/page/guarded-fetch.ts';
import { parseFetchAllow } from '../../../src/trust/page/settings.ts';
import { failure } from '../../support/failure.ts';

/** A loopback address that stands for the public internet here. */
const PUBLIC = process.platform === 'darwin' ? '::1' : '127.0.0.9';

const { signal } = new AbortController();
const headers = { range: 'bytes=2-' };
const guarded = () => new GuardedFetch({ clock: systemClock, allow: parseFetchAllow(PUBLIC) });

/** A server that returns the request; `/to?ADDRESS` redirects. */
function serve(hostname: string) {
  const requests: Record<string, string>[] = [];
  const server = Bun.serve({
    hostname,
    port: 0,
    fetch({ url, headers: sent }) {
      requests.push(sent.toJSON());
      const { pathname, search } = new URL(url);
      if (pathname === '/to')
        return new Response(null, { status: 302, headers: { location: search.slice(1) } });
      return new Response('x'.repeat(9 * 2 ** 20), { headers: { etag: '"1"' } });
    },
  });
  return {
    requests,
    at: new URL(`http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${server.port}`)
      .host,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

test('a download goes to allowed addresses only, at each hop', async () => {
  using inside = serve('127.0.0.1');
  using outside = serve(PUBLIC);
  for (const address of [
    `http://${inside.at}/`,
    `http://[::ffff:${inside.at.replace(':', ']:')}/`,
    `http://${outside.at}/to?http://${inside.at}/`,
    `http://${outside.at}/to?http://${outside.at}/to?//${inside.at}/`,
  ]) {
    const refused = failure(guarded().download(address, headers, signal));
    expect(await refused).toMatchObject({ reason: 'denied_address' });
  }
  expect(
    await failure(
      guarded().download(`http://${outside.at}/to?file:///etc/passwd`, headers, signal),
    ),
  ).toMatchObject({ reason: 'scheme' });
  expect(inside.requests).toEqual([]);
});

test('a download has headers, and a body beyond the limits of a page', async () => {
  using outside = serve(PUBLIC);
  const file = await guarded().download(`http://${outside.at}/to?/file`, headers, signal);
  expect([file.status, file.header('etag'), file.header('none')]).toEqual([200, '"1"', null]);
  let size = 0;
  for await (const chunk of file.body) size += chunk.length;
  expect(size).toBe(9 * 2 ** 20);
  expect(outside.requests.map(({ range }) => range)).toEqual(['bytes=2-', 'bytes=2-']);
});

test('user and password of an address are sent to its own origin only', async () => {
  using other = serve(PUBLIC);
  using outside = serve(PUBLIC);
  const address = `http://us%40er:pass@${outside.at}/to?http://${other.at}/`;
  await guarded().download(address, {}, signal);
  expect(outside.requests[0]?.['authorization']).toBe(`Basic ${btoa('us@er:pass')}`);
  expect(other.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
});
