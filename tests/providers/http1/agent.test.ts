import { afterAll, describe, expect, test } from 'bun:test';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { failure } from '../../support/failure.ts';
import { readBytes } from '../../../src/providers/shared/body.ts';
import type { StopSignal } from '../../../src/lib/stop-signal.ts';
import { NeverSent, WireAgent } from '../../../src/providers/shared/http1/agent.ts';
import { MalformedResponse } from '../../../src/providers/shared/http1/body-decoder.ts';
import type { WireAnswer } from '../../../src/providers/shared/http1/exchange.ts';

const MAX = 64 * 1024 * 1024;
const never = new AbortController().signal;
const post = (agent: WireAgent, url: string, body: string, signal = never) =>
  agent.post({ url, headers: { 'content-type': 'application/json' }, body, signal });
const textOf = async (answer: WireAnswer): Promise<string> =>
  Buffer.from(await readBytes(answer, MAX, never)).toString();

describe('the agent', () => {
  let connections = 0;
  const peers = new Set<string>();
  const echo = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: MAX,
    async fetch(request, server) {
      const { address, port } = server.requestIP(request) ?? { address: '', port: 0 };
      peers.add(`${address}:${port}`);
      connections = peers.size;
      return new Response(await request.bytes());
    },
  });
  afterAll(() => echo.stop(true));
  const url = `http://127.0.0.1:${echo.port}/path?query=1`;

  test('gives each of many concurrent calls its own body, over kept-alive connections', async () => {
    const agent = new WireAgent();
    for (let round = 0; round < 4; round++) {
      const bodies = Array.from(
        { length: 40 },
        (_, index) => `${round} ${index} ${'я'.repeat(index * 100)}`,
      );
      const answers = await Promise.all(
        bodies.map(async (body) => textOf(await post(agent, url, body))),
      );
      expect(answers).toEqual(bodies);
    }
    expect(connections).toBeLessThanOrEqual(40);
  });

  test('sends and reads bodies larger than any buffer', async () => {
    const body = 'абв'.repeat(3_000_000);
    expect(await textOf(await post(new WireAgent(), url, body))).toBe(body);
  });

  test('an abort ends a call at each stage, and no other call', async () => {
    const agent = new WireAgent();
    const stops = [
      await silentServer(() => undefined),
      await silentServer((socket) =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
      ),
    ];
    for (const server of stops) {
      const controller = new AbortController();
      const call = post(agent, server.url, '{}', controller.signal).then((answer) =>
        readBytes(answer, MAX, never),
      );
      await server.requested;
      controller.abort();
      expect(await failure(call)).toBeInstanceOf(Error);
      await server.left;
      server.close();
    }
    const aborted = AbortSignal.abort();
    expect(await failure(post(agent, url, '{}', aborted))).toBeInstanceOf(NeverSent);
    expect(await textOf(await post(agent, url, 'still here'))).toBe('still here');
  });

  test('an abort while it connects sends no request', async () => {
    let requests = 0;
    const server = await silentServer(() => void requests++);
    const controller = new AbortController();
    const call = post(new WireAgent(), server.url, '{}', controller.signal);
    controller.abort();
    expect(await failure(call)).toBeInstanceOf(NeverSent);
    await server.left;
    expect(requests).toBe(0);
    server.close();
  });

  test('a body that nobody reads stays in the socket, and arrives completely in the end', async () => {
    const size = 32 * 1024 * 1024;
    const server = await silentServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
      socket.write(new Uint8Array(size));
    });
    const reader = await post(new WireAgent(), server.url, '{}');
    let received = 0;
    for (let bytes = await reader.read(); bytes; bytes = await reader.read()) {
      // Only the bytes that fit into the socket buffers of both sides arrive, however long nobody reads.
      expect(bytes.length).toBeLessThan(size / 8);
      received += bytes.length;
      if (received < size / 4) await turns(50);
    }
    expect(received).toBe(size);
    server.close();
  });

  test('an invalid header is refused before anything is sent', async () => {
    const call = { url, headers: { 'x-key': 'a\r\nx-other: b' }, body: '', signal: never };
    expect(await failure(new WireAgent().post(call))).toBeInstanceOf(TypeError);
  });

  test('a server with an untrusted certificate gets no bytes', async () => {
    let requests = 0;
    const fixtures = join(import.meta.dir, '../../fixtures/tls');
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: {
        cert: Bun.file(join(fixtures, 'loopback-certificate.pem')),
        key: Bun.file(join(fixtures, 'loopback-key.pem')),
      },
      fetch() {
        requests++;
        return new Response('secret');
      },
    });
    const call = post(new WireAgent(), `https://127.0.0.1:${server.port}/`, 'a key');
    expect(await failure(call)).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    await server.stop(true);
    expect(requests).toBe(0);
  });

  test.each([
    ['says that it closes', 'Connection: close\r\n', ''],
    ['closes too soon to be sure', 'Keep-Alive: timeout=1\r\n', ''],
    ['sends more than its answer', '', 'HTTP/1.1 200 OK\r\n'],
  ])('a connection that %s is not used again', async (_, header, more) => {
    const sockets = new Set<Socket>();
    const server = await silentServer((socket) => {
      sockets.add(socket);
      socket.write(`HTTP/1.1 200 OK\r\n${header}Content-Length: 2\r\n\r\nok${more}`);
    });
    const agent = new WireAgent();
    for (let call = 0; call < 2; call++) {
      expect(await textOf(await post(agent, server.url, '{}'))).toBe('ok');
    }
    expect(sockets.size).toBe(2);
    server.close();
  });

  test('a connection that was answered before the request was read is not used again', async () => {
    const sockets = new Set<Socket>();
    const server = await silentServer((socket) => {
      if (sockets.has(socket)) return;
      sockets.add(socket);
      // The rest of the request stays in the sockets.
      if (sockets.size === 1) socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno');
    });
    const agent = new WireAgent();
    const large = 'x'.repeat(64 * 1024 * 1024);
    for (const body of [large, '{}']) {
      expect(await textOf(await post(agent, server.url, body))).toBe('no');
    }
    expect(sockets.size).toBe(2);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  test('a server that violates the protocol, or sends data without a request, loses its connection', async () => {
    const garbled = await silentServer((socket) => socket.write('SMTP ready\r\n\r\n'));
    expect(await failure(post(new WireAgent(), garbled.url, '{}'))).toBeInstanceOf(
      MalformedResponse,
    );
    await garbled.left;
    garbled.close();

    let speak = (): void => undefined;
    const chatty = await silentServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      speak = () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nNO');
    });
    const agent = new WireAgent();
    expect(await textOf(await post(agent, chatty.url, '{}'))).toBe('ok');
    speak();
    await chatty.left;
    expect(await textOf(await post(agent, chatty.url, '{}'))).toBe('ok');
    chatty.close();
  });

  test('a kept-alive connection that was closed meanwhile is not used', async () => {
    const server = await silentServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      socket.end();
    });
    const agent = new WireAgent();
    expect(await textOf(await post(agent, server.url, '{}'))).toBe('ok');
    await server.left;
    await turns(10);
    expect(await textOf(await post(agent, server.url, '{}'))).toBe('ok');
    server.close();
  });

  test('a request that was already stopped is not sent over a kept-alive connection either', async () => {
    let requests = 0;
    const server = await silentServer((socket) => {
      requests++;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const agent = new WireAgent();
    await textOf(await post(agent, server.url, '{}'));
    expect(await failure(post(agent, server.url, '{}', AbortSignal.abort()))).toBeInstanceOf(
      NeverSent,
    );
    await textOf(await post(agent, server.url, '{}'));
    expect(requests).toBe(2);
    server.close();
  });

  test('the request contains its path, its query, and its host with the port', async () => {
    let head = '';
    const server = createServer((socket) => {
      socket.on('data', (bytes) => {
        head += bytes.toString();
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    await textOf(await post(new WireAgent(), `http://${host}/v1/a:b?alt=sse`, '{}'));
    expect(head).toStartWith(`POST /v1/a:b?alt=sse HTTP/1.1\r\nhost: ${host}\r\n`);
    server.close();
  });

  test('a complete answer leaves no listener on the signal of its call', async () => {
    const listeners = new Set<() => void>();
    const signal: StopSignal = {
      aborted: false,
      reason: undefined,
      addEventListener: (_, listener) => void listeners.add(listener),
      removeEventListener: (_, listener) => void listeners.delete(listener),
    };
    await textOf(await new WireAgent().post({ url, headers: {}, body: '{}', signal }));
    expect(listeners.size).toBe(0);
  });

  test('a request on a closing connection fails: it is not sent twice', async () => {
    let requests = 0;
    const server = await silentServer((socket) => {
      requests++;
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      else socket.destroy();
    });
    const agent = new WireAgent();
    expect(await textOf(await post(agent, server.url, '{}'))).toBe('ok');
    expect(await failure(post(agent, server.url, '{}'))).toBeInstanceOf(Error);
    await server.left;
    expect(requests).toBe(2);
    server.close();
  });
});

/** Lets the event loop turn, so that everything readable is read. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

interface SilentServer {
  url: string;
  /** Resolves with the first request. */
  requested: Promise<void>;
  /** Resolves when a client has disconnected. */
  left: Promise<void>;
  close: () => void;
}

/** A server that treats each request as the test decides, and does nothing else. */
async function silentServer(onRequest: (socket: Socket) => void): Promise<SilentServer> {
  const requested = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server: Server = createServer((socket) => {
    socket.on('data', () => {
      onRequest(socket);
      requested.resolve();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => left.resolve());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    requested: requested.promise,
    left: left.promise,
    close: () => void server.close(),
  };
}
