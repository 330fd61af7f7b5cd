/** The webhook of a watch with hostile receivers. */
import { afterEach, describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import type { FetchLimits } from '../../../src/trust/page/limits.ts';
import { Webhook } from '../../../src/trust/watch/webhook.ts';
import { createWorld, type World } from '../page/world.ts';

const HOOK = 'http://hooks.ru/in';
const EVENT = '{"type":"site.changed"}';
let world: World | undefined;

afterEach(() => world?.[Symbol.asyncDispose]());

/**
 * Delivers one event, repeating at once.
 * @returns why it was not accepted
 */
async function deliver(limits: Partial<FetchLimits> = {}, url = HOOK): Promise<string | undefined> {
  world ??= createWorld();
  world.start(limits);
  const { fetch, clock } = world;
  const secret = 'a secret that only both sides know';
  const sleep = () => Promise.resolve();
  const webhook = new Webhook({ url, secret, fetch, clock, sleep });
  return webhook.deliver(EVENT, new AbortController().signal);
}

interface Connections {
  count: () => number;
  allClosed: () => Promise<void>;
}

/** A receiver that answers with raw bytes. */
async function receiver(answer: (socket: Socket) => void): Promise<Connections> {
  const closed: Promise<void>[] = [];
  world = createWorld();
  await world.serveRaw('hooks.ru', (socket) => {
    closed.push(new Promise((resolve) => socket.on('close', () => resolve())));
    answer(socket);
  });
  return { count: () => closed.length, allClosed: async () => void (await Promise.all(closed)) };
}

const drip = (socket: Socket, piece: string) => {
  const dripping = setInterval(() => socket.write(piece), 5);
  socket.on('close', () => clearInterval(dripping));
};

describe('the receiver of a watch’s events', () => {
  test.each([301, 302, 303, 307, 308])('that redirects with %i is not followed', async (status) => {
    world = createWorld();
    await world.serve('hooks.ru', (_, response) => {
      response.writeHead(status, { location: 'http://elsewhere.ru/' }).end();
    });
    await world.serve('elsewhere.ru', (_, response) => void response.end());
    expect(await deliver()).toBe(`it answered ${status}`);
    expect(world.requests).toEqual(Array.from({ length: 4 }, () => 'hooks.ru /in'));
  });

  test('that never answers is given up, and its connections are closed', async () => {
    const connections = await receiver(() => {});
    expect(await deliver({ headersTimeoutMs: 20 })).toStartWith('headers_timeout');
    expect(connections.count()).toBe(4);
    await connections.allClosed();
  });

  test('whose header arrives byte by byte is given up', async () => {
    const connections = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      drip(socket, 'a');
    });
    expect(await deliver({ headersTimeoutMs: 40 })).toStartWith('headers_timeout');
    await connections.allClosed();
  });

  test('that only sends interim responses is given up', async () => {
    const connections = await receiver((socket) =>
      drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    );
    expect(await deliver({ headersTimeoutMs: 40 })).toStartWith('headers_timeout');
    await connections.allClosed();
  });

  test('with an endless header is refused', async () => {
    await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, `X-Long: ${'a'.repeat(20_000)}\r\n`);
    });
    expect(await deliver()).toStartWith('header_limit');
  });

  test.each([
    ['without an end', ''],
    ['of a terabyte', 'Content-Length: 1000000000000\r\n'],
    ['that is said to be compressed', 'Content-Encoding: gzip\r\n'],
  ])('has accepted the event with its status: a body %s is not read', async (_, header) => {
    const connections = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n`);
      drip(socket, 'a'.repeat(1_000));
    });
    expect(await deliver()).toBeUndefined();
    expect(connections.count()).toBe(1);
    await connections.allClosed();
  });

  test('that answers with something other than HTTP, or hangs up, has not accepted it', async () => {
    await receiver((socket) => void socket.end('220 mail.ru ESMTP\r\n'));
    expect(await deliver()).toStartWith('protocol');
    await receiver((socket) => void socket.destroy());
    expect(await deliver()).toStartWith('protocol');
  });

  test('gets user and password of the address, if it has them, and no cookies', async () => {
    world = createWorld();
    const headers: unknown[] = [];
    await world.serve('hooks.ru', (request, response) => {
      headers.push(request.headers);
      response.writeHead(204, { 'set-cookie': 'a=b' }).end();
    });
    expect(await deliver({}, 'http://name:pass%3Aword%D1%8F@hooks.ru/in')).toBeUndefined();
    const pair = Buffer.from('name:pass:wordя').toString('base64');
    expect(headers).toMatchObject([{ authorization: `Basic ${pair}` }]);
    expect(await deliver()).toBeUndefined();
    expect(headers).toHaveLength(2);
    expect(headers[1]).not.toContainKey('authorization');
    for (const each of headers) expect(each).not.toContainKey('cookie');
  });

  test('gets no request if user and password cannot be read', async () => {
    world = createWorld();
    const why = await deliver({}, 'http://name:100%@hooks.ru/in');
    expect(why).toBe('invalid_url: write % in its user and password as %25');
    expect(world.requests).toEqual([]);
  });
});
