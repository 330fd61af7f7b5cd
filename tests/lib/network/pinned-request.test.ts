import { afterEach, describe, expect, test } from 'bun:test';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import {
  openPinned,
  portOf,
  type PinnedRequestOptions,
  type RequestFault,
} from '../../../src/lib/network/pinned-request.ts';
import { Stopper } from '../../../src/lib/stop-signal.ts';
import { failure } from '../../support/failure.ts';
import { certificate, key, listenOn } from '../../support/servers.ts';

const LOOPBACK = '127.0.0.1';

/** The error with which the requests of these tests fail. */
class Fault extends Error {
  readonly fault: RequestFault;

  constructor(fault: RequestFault, detail: string, cause?: Error) {
    super(detail, { cause });
    this.fault = fault;
  }
}

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

async function started(server: Server): Promise<number> {
  servers.push(server);
  return listenOn(server, LOOPBACK);
}

/** A server that answers byte by byte as the test decides; called once a request has come. */
function raw(answer: (socket: Socket) => void): Promise<number> {
  return started(
    createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => answer(socket));
    }),
  );
}

/** Sends a request to that port of loopback, whatever host the URL names. */
function get(url: string, port: number, options: Partial<PinnedRequestOptions> = {}) {
  return openPinned(
    new URL(url),
    { addresses: [LOOPBACK], port },
    {
      headers: { accept: 'image/png' },
      signal: new Stopper(),
      failure: (fault, detail, cause) => new Fault(fault, detail, cause),
      ...options,
    },
  );
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

/** Can say who listens to it. */
class ListenedStopper extends Stopper {
  readonly listeners = new Set<() => void>();

  override addEventListener(type: 'abort', listener: () => void): void {
    this.listeners.add(listener);
    super.addEventListener(type, listener);
  }

  override removeEventListener(type: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
    super.removeEventListener(type, listener);
  }
}

describe('a request', () => {
  test('connects to the given address, under the name of its URL', async () => {
    const heads: IncomingMessage[] = [];
    const port = await started(
      createHttpServer((request, response) => {
        heads.push(request);
        response.writeHead(203, { 'x-a': 'b' }).end('hello');
      }),
    );
    const { response } = await get('http://me:secret@no.such.name.invalid:81/a?b=c#d', port);
    expect([response.statusCode, response.headers['x-a'], await textOf(response)]).toEqual([
      203,
      'b',
      'hello',
    ]);
    const [head] = heads;
    expect([head?.method, head?.url]).toEqual(['GET', '/a?b=c']);
    expect(head?.headers).toEqual({
      accept: 'image/png',
      host: 'no.such.name.invalid:81',
      connection: 'close',
    });
  });

  test('does not connect to an address in its URL', async () => {
    const port = await raw((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    for (const host of ['192.0.2.1', '[2001:db8::1]']) {
      const { response, close } = await get(`http://${host}/`, port);
      expect(response.statusCode).toBe(204);
      close();
    }
  });

  test('is not sent without an address', async () => {
    let connections = 0;
    const port = await started(createServer(() => connections++));
    const options = {
      headers: {},
      signal: new Stopper(),
      failure: (fault: RequestFault, detail: string) => new Fault(fault, detail),
    };
    const url = new URL(`http://${LOOPBACK}:${port}/`);
    await failure(openPinned(url, { addresses: [], port }, options));
    expect(connections).toBe(0);
  });

  test('follows no redirect', async () => {
    const port = await raw((socket) =>
      socket.end('HTTP/1.1 302 Found\r\nLocation: http://b.example/\r\n\r\n'),
    );
    const { response, close } = await get('http://a.example/', port);
    expect(response.statusCode).toBe(302);
    close();
  });
});

describe('TLS', () => {
  const secure = () =>
    started(createSecureServer({ key, cert: certificate }, (_, response) => response.end('ok')));

  test('verifies the name, whatever the environment says', async () => {
    const port = await secure();
    const ca = [certificate];
    const { response } = await get('https://secure.example/', port, { ca });
    expect(await textOf(response)).toBe('ok');
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const other = await failure(get('https://other.example/', port, { ca }));
      expect(other).toMatchObject({ fault: 'tls' });
      const unknown = await failure(get('https://secure.example/', port));
      expect(unknown).toMatchObject({ fault: 'tls' });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  test('has an error of its own if it fails', async () => {
    const port = await raw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await failure(get('https://a.example/', port))).toMatchObject({ fault: 'tls' });
  });
});

describe('a request without an answer', () => {
  test.each<[string, RequestFault, (socket: Socket) => void]>([
    ['closes', 'protocol', (socket) => socket.end()],
    ['resets', 'protocol', (socket) => socket.resetAndDestroy()],
    ['speaks something else', 'protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    [
      ...(['turns to another protocol', 'protocol'] as const),
      (socket) =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
        ),
    ],
    ['says nothing', 'headers_timeout', () => {}],
    [
      ...(['has a header beyond the limit', 'header_limit'] as const),
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(10_000)}`),
    ],
  ])('reports that the server %s', async (_what, fault, answer) => {
    const port = await raw(answer);
    const signal = new ListenedStopper();
    // Short only if this timeout should end the request: a busy machine may take longer to connect.
    const headersTimeoutMs = fault === 'headers_timeout' ? 50 : 600_000;
    const limits = { connectTimeoutMs: 600_000, headersTimeoutMs, headerBytesMax: 1_024 };
    expect(await failure(get('http://a.example/', port, { limits, signal }))).toMatchObject({
      fault,
    });
    expect(signal.listeners.size).toBe(0);
  });

  test("reports that nobody listens, with the system's message", async () => {
    const refused = await failure(get('http://a.example/', 1));
    expect(refused).toMatchObject({ fault: 'connect', message: 'ECONNREFUSED' });
    expect((refused as Fault).cause).toBeInstanceOf(Error);
  });

  test("ends with its signal, with the signal's reason", async () => {
    const { promise: came, resolve } = Promise.withResolvers<void>();
    const port = await raw(() => resolve());
    const signal = new ListenedStopper();
    const task = failure(get('http://a.example/', port, { signal }));
    await came;
    const reason = new Error('enough');
    signal.abort(reason);
    expect(await task).toBe(reason);
    expect(signal.listeners.size).toBe(0);
  });

  test('is not sent if its signal is already aborted', async () => {
    let requests = 0;
    const port = await raw(() => requests++);
    const signal = new Stopper();
    signal.abort('a word');
    const stopped = await failure(get('http://a.example/', port, { signal }));
    expect(stopped).toMatchObject({ message: 'stopped', cause: 'a word' });
    expect(requests).toBe(0);
  });
});

describe('an answer', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc';

  test('that was read to its end releases the signal', async () => {
    const port = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nabc'));
    const signal = new ListenedStopper();
    const { response } = await get('http://a.example/', port, { signal });
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    response.on('close', () => resolve());
    expect(await textOf(response)).toBe('abc');
    await closed;
    expect(signal.listeners.size).toBe(0);
  });

  test('that breaks off gives its reader the reason', async () => {
    let socket: Socket | undefined;
    const port = await raw((own) => (socket = own).write(HEAD));
    const { response } = await get('http://a.example/', port);
    const body = response[Symbol.asyncIterator]();
    expect(String((await body.next()).value)).toBe('abc');
    socket?.resetAndDestroy();
    expect(await failure(body.next())).toMatchObject({ fault: 'protocol', message: 'ECONNRESET' });
  });

  test("fails with the signal's reason, or with the one that its reader gives", async () => {
    const port = await raw((socket) => socket.write(HEAD));
    const signal = new Stopper();
    const first = await get('http://a.example/', port, { signal });
    const reason = new Error('enough');
    signal.abort(reason);
    expect(await failure(textOf(first.response))).toBe(reason);
    const second = await get('http://a.example/', port);
    second.fail(reason);
    expect(await failure(textOf(second.response))).toBe(reason);
  });

  test('that is closed cuts the connection', async () => {
    const { promise: cut, resolve } = Promise.withResolvers<void>();
    const port = await raw((socket) => {
      socket.on('close', () => resolve());
      socket.write(HEAD);
    });
    const { close } = await get('http://a.example/', port);
    close();
    await cut;
  });
});

test("the port of a URL is its own or its scheme's", () => {
  const ports = ['http://a/', 'https://a/', 'https://a:80/', 'http://a:443/', 'ftp://a:21/'];
  expect(ports.map((url) => portOf(new URL(url)))).toEqual([80, 443, 80, 443, undefined]);
});
