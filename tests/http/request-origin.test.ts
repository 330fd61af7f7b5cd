/** Requests without a host, as health checks send them; only a raw socket can send them. */
import { describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { dialects } from '../support/databases.ts';
import { sharedWorld } from '../support/world.ts';

/**
 * Sends these lines and a body.
 * @returns status and body of the response
 */
function exchange(port: number, lines: string[], body = ''): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const head = [...lines, 'connection: close', `content-length: ${body.length}`];
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`),
    );
    let text = '';
    socket.on('data', (data) => (text += data.toString()));
    socket.on('error', reject);
    socket.on('close', () => {
      const [start = '', answer = ''] = text.split('\r\n\r\n');
      resolve([Number(start.split(' ')[1]), answer]);
    });
  });
}

for (const dialect of dialects) {
  describe(`${dialect}: a request that names no host`, () => {
    const world = sharedWorld(dialect);
    const hosts: [what: string, version: string, host: string[]][] = [
      ['HTTP/1.0 without Host', 'HTTP/1.0', []],
      ['an empty Host', 'HTTP/1.1', ['host:']],
      ['a malformed Host', 'HTTP/1.1', ['host: a/b']],
    ];
    for (const [what, version, host] of hosts) {
      test(`${what}: every path works`, async () => {
        const { gateway, user } = world();
        const port = Number(new URL(gateway.listen()).port);
        const get = (path: string) => exchange(port, [`GET ${path} ${version}`, ...host]);
        for (const path of ['/healthz', '/readyz', '/readyz?x=1', '/metrics', '/openapi.json']) {
          expect([path, (await get(path))[0]]).toEqual([path, 200]);
        }
        expect((await get('/trast.php?url=a.ru&tp=3&h=0'))[0]).toBe(401);
        expect((await get('/nothing'))[0]).toBe(404);
        const alice = await user();
        const post = (path: string, body: object) =>
          exchange(
            port,
            [
              `POST ${path} ${version}`,
              ...host,
              'content-type: application/json',
              `authorization: Bearer ${alice.token}`,
            ],
            JSON.stringify(body),
          );
        for (const path of ['/ai/send/', '/ai/send', '/ai/send/?x']) {
          const [status, text] = await post(path, { room_id: alice.room, ai: 101, message: 'Hi' });
          expect([path, status]).toEqual([path, 200]);
          expect(text).toContain('echo: Hi');
        }
      });
    }
  });
}
