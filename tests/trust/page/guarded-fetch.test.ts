import { describe, expect, test } from 'bun:test';
import type { RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { FETCH_LIMITS } from '../../../src/trust/page/limits.ts';
import { parseFetchResolve } from '../../../src/trust/page/settings.ts';
import { failure } from '../../support/failure.ts';
import { certificate, listenOn } from '../../support/servers.ts';
import { allOf, createWorld, reasonOf, textOf } from './world.ts';

describe('a fetch', () => {
  test('returns status, headers, body and redirects', async () => {
    await using world = createWorld();
    await world.serve('a.example', (request, response) => {
      if (request.url === '/new') response.writeHead(203, { 'x-a': 'b' }).end('hello');
      else response.writeHead(301, { location: '/new#part' }).end('moved');
    });
    world.start();
    const read = await world.fetch.get('http://A.example/old', {}, async (response) => {
      const { url, status, headers, redirects, body } = response;
      const text = await allOf(body);
      return [url.href, status, headers['x-a'], redirects.map(String), text];
    });
    const way = ['http://a.example/old'];
    expect(read).toEqual(['http://a.example/new', 203, 'b', way, 'hello']);
    expect(world.events).toMatchObject([{ outcome: 'ok', wireBytes: 5, decodedBytes: 5 }]);
  });

  test('sends no cookies and no credentials, and identifies itself', async () => {
    await using world = createWorld();
    const heads: Record<string, unknown>[] = [];
    await world.serve('a.example', (request, response) => {
      heads.push(request.headers);
      const head = { 'set-cookie': 'session=1', location: 'http://me:secret@a.example/b' };
      if (request.url === '/b') response.end('ok');
      else response.writeHead(302, head).end();
    });
    world.start({}, { userAgent: 'ZastavaBot/1.0 (+https://operator.example)' });
    await textOf(world.fetch, 'http://user:password@a.example/');
    expect(heads.length).toBe(2);
    for (const head of heads) {
      expect(head['cookie']).toBeUndefined();
      expect(head['authorization']).toBeUndefined();
      expect(head['user-agent']).toBe('ZastavaBot/1.0 (+https://operator.example)');
      expect(head['host']).toBe('a.example');
    }
  });

  test('follows a redirect to a Cyrillic address', async () => {
    await using world = createWorld();
    await world.serve('a.example', (_, response) => {
      const location = Buffer.from('http://пример.рф/о-нас').toString('latin1');
      response.writeHead(302, { location }).end();
    });
    await world.serve('пример.рф', (request, response) => {
      response.end(decodeURI(request.url ?? ''));
    });
    world.start();
    expect(await textOf(world.fetch, 'http://a.example/')).toBe('/о-нас');
  });

  test('does not follow a response that is not a redirect', async () => {
    await using world = createWorld();
    await world.serve('a.example', (request, response) => {
      if (request.url === '/choice') response.writeHead(300, { location: '/b' }).end('300');
      else response.writeHead(302).end('302');
    });
    world.start();
    expect(await textOf(world.fetch, 'http://a.example/choice')).toBe('300');
    expect(await textOf(world.fetch, 'http://a.example/nowhere')).toBe('302');
  });
});

describe('redirects', () => {
  test('are followed up to the limit', async () => {
    await using world = createWorld();
    await world.serve('a.example', (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    });
    world.start();
    expect(await textOf(world.fetch, 'http://a.example/5')).toBe('there');
    expect(await reasonOf(textOf(world.fetch, 'http://a.example/6'))).toBe('too_many_redirects');
    expect(world.requests.length).toBe(12);
  });

  test('in a loop fail', async () => {
    await using world = createWorld();
    await world.serve('a.example', (_, response) => {
      response.writeHead(302, { location: 'http://b.example/' }).end();
    });
    await world.serve('b.example', (_, response) => {
      response.writeHead(302, { location: 'http://a.example/' }).end();
    });
    world.start();
    expect(await reasonOf(textOf(world.fetch, 'http://a.example/'))).toBe('redirect_loop');
    expect(world.requests.length).toBe(2);
  });

  test('call the hook before each hop, which may stop them', async () => {
    await using world = createWorld();
    await world.serve('a.example', (_, response) => {
      response.writeHead(302, { location: 'http://b.example/secret' }).end();
    });
    await world.serve('b.example', (_, response) => response.end('secret'));
    world.start();
    const hops: string[] = [];
    const beforeHop = async (url: URL) => {
      hops.push(url.href);
      if (url.pathname === '/secret') throw new Error('stay away');
    };
    const get = world.fetch.get('http://a.example/', { beforeHop }, () => Promise.resolve(''));
    expect(await failure(get)).toMatchObject({ message: 'stay away' });
    expect(hops).toEqual(['http://a.example/', 'http://b.example/secret']);
    expect(world.requests).toEqual(['a.example /']);
  });
});

describe('TLS', () => {
  test('is verified against the requested name', async () => {
    await using world = createWorld();
    const names: unknown[] = [];
    const answer: RequestListener = (request, response) => {
      names.push((request.socket as { servername?: unknown }).servername);
      response.end('secure');
    };
    await world.serveSecure('secure.example', answer);
    await world.serveSecure('other.example', answer);
    world.start({}, { ca: [certificate] });
    expect(await textOf(world.fetch, 'https://secure.example/')).toBe('secure');
    expect(await reasonOf(textOf(world.fetch, 'https://other.example/'))).toBe('tls');
    world.start();
    expect(await reasonOf(textOf(world.fetch, 'https://secure.example/'))).toBe('tls');
    expect(names).toEqual(['secure.example']);
  });

  test('allows redirects to plain HTTP and back', async () => {
    await using world = createWorld();
    await world.serveSecure('secure.example', (request, response) => {
      if (request.url === '/up') response.end('up');
      else response.writeHead(302, { location: 'http://plain.example/' }).end();
    });
    await world.serve('plain.example', (_, response) => {
      response.writeHead(302, { location: 'https://secure.example/up' }).end();
    });
    world.start({}, { ca: [certificate] });
    expect(await textOf(world.fetch, 'https://secure.example/down')).toBe('up');
  });

  test('fails where no server listens, or the server has no TLS', async () => {
    await using world = createWorld();
    world.start({}, { resolve: parseFetchResolve('a.example:443=127.0.0.1:1') });
    expect(await reasonOf(textOf(world.fetch, 'https://a.example/'))).toBe('connect');
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const port = await listenOn(server, '127.0.0.1');
    world.start({}, { resolve: parseFetchResolve(`a.example:443=127.0.0.1:${port}`) });
    expect(await reasonOf(textOf(world.fetch, 'https://a.example/'))).toBe('tls');
    server.close();
  });
});

describe('time limits end', () => {
  test('a fetch whose server accepts the connection and stays silent', async () => {
    await using world = createWorld();
    await world.serveRaw('a.example', () => {});
    world.start({ headersTimeoutMs: 50 });
    expect(await reasonOf(textOf(world.fetch, 'http://a.example/'))).toBe('headers_timeout');
  });

  test('a header that arrives byte by byte', async () => {
    await using world = createWorld();
    await world.serveRaw('a.example', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      const drip = setInterval(() => socket.write('a'), 5);
      socket.on('close', () => clearInterval(drip));
    });
    world.start({ headersTimeoutMs: 60 });
    expect(await reasonOf(textOf(world.fetch, 'http://a.example/'))).toBe('headers_timeout');
  });

  test('a body that arrives too slowly', async () => {
    await using world = createWorld();
    await world.serveRaw('a.example', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const drip = setInterval(() => socket.write('a'), 5);
      socket.on('close', () => clearInterval(drip));
    });
    world.start({ throughputWindowMs: 40, throughputBytesMin: 1_000 });
    expect(await reasonOf(textOf(world.fetch, 'http://a.example/'))).toBe('too_slow');
  });

  test('a fast body that does not end', async () => {
    await using world = createWorld();
    await world.serveRaw('a.example', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const drip = setInterval(() => socket.write('a'.repeat(100)), 5);
      socket.on('close', () => clearInterval(drip));
    });
    world.start({ totalTimeoutMs: 80, throughputBytesMin: 0 });
    expect(await reasonOf(textOf(world.fetch, 'http://a.example/'))).toBe('total_timeout');
  });

  test('a look-up whose name server does not answer', async () => {
    await using world = createWorld();
    world.start({ connectTimeoutMs: 30 }, { resolver: () => new Promise(() => {}) });
    expect(await reasonOf(textOf(world.fetch, 'http://b.example/'))).toBe('connect_timeout');
  });

  test('a wait for a slot, and a slow hook before a hop', async () => {
    await using world = createWorld();
    const { promise: came, resolve } = Promise.withResolvers<void>();
    await world.serveRaw('a.example', () => resolve());
    world.start({ siteConcurrencyMax: 1, totalTimeoutMs: 200 });
    const holding = reasonOf(textOf(world.fetch, 'http://a.example/'));
    // On a busy machine the time limit may be reached before that.
    await Promise.race([came, holding]);
    const controller = new AbortController();
    const request = { signal: controller.signal };
    const waiting = world.fetch.get('http://a.example/', request, () => Promise.resolve(0));
    const beforeHop = () => new Promise<void>(() => {});
    const blocked = world.fetch.get('http://b.example/', { ...request, beforeHop }, () =>
      Promise.resolve(0),
    );
    controller.abort();
    expect(await Promise.all([reasonOf(waiting), reasonOf(blocked)])).toEqual([
      'stopped',
      'stopped',
    ]);
    expect(await holding).toBe('total_timeout');
  });

  test('a fetch that the caller stops, or whose fetcher is closed', async () => {
    await using world = createWorld();
    const { promise: came, resolve } = Promise.withResolvers<void>();
    await world.serveRaw('a.example', () => resolve());
    world.start();
    const controller = new AbortController();
    const request = { signal: controller.signal };
    const first = world.fetch.get('http://a.example/', request, () => Promise.resolve(0));
    const reason = reasonOf(first);
    await came;
    controller.abort();
    expect(await reason).toBe('stopped');
    const second = reasonOf(textOf(world.fetch, 'http://a.example/'));
    world.fetch.close();
    expect(await second).toBe('stopped');
    expect(await reasonOf(textOf(world.fetch, 'http://a.example/'))).toBe('stopped');
  });
});

describe('size limits hold for', () => {
  test('an endless header, and thousands of headers', async () => {
    await using world = createWorld();
    const flood = (line: string) => (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
      const more = () => {
        while (!socket.destroyed && socket.write(line));
      };
      socket.on('drain', more);
      more();
    };
    await world.serveRaw('a.example', flood('a'.repeat(10_000)));
    await world.serveRaw('b.example', flood('a\r\nX-More: '.repeat(1_000)));
    world.start();
    for (const host of ['a.example', 'b.example']) {
      expect(await reasonOf(textOf(world.fetch, `http://${host}/`))).toBe('header_limit');
    }
  });

  test('an endless body, which is cut', async () => {
    await using world = createWorld();
    let sent = 0;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await world.serveRaw('a.example', (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const chunk = Buffer.alloc(65_536, 'a');
      const more = () => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
      };
      socket.on('drain', more);
      socket.on('close', () => resolve());
      more();
    });
    world.start();
    const length = await world.fetch.get('http://a.example/', {}, async ({ body }) => {
      let read = 0;
      for await (const chunk of body) read += chunk.length;
      return read;
    });
    expect(world.events[0]?.truncated).toBe(true);
    expect(length).toBe(FETCH_LIMITS.wireBytesMax);
    await closed;
    expect(sent).toBeLessThan(64 * 1_048_576);
  });

  test('an interrupted body, and responses that are not HTTP', async () => {
    await using world = createWorld();
    const answers: Record<string, [string, string]> = {
      'short.example': ['HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', 'incomplete'],
      'chunk.example': [
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
        'incomplete',
      ],
      'garbage.example': ['SSH-2.0-OpenSSH_9.2\r\n', 'protocol'],
      'nothing.example': ['', 'protocol'],
      'upgrade.example': [
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
        'protocol',
      ],
      'two-lengths.example': [
        'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
        'protocol',
      ],
    };
    for (const [host, [answer]] of Object.entries(answers)) {
      await world.serveRaw(host, (socket) => socket.end(answer));
    }
    world.start();
    for (const [host, [, reason]] of Object.entries(answers)) {
      const found = await reasonOf(textOf(world.fetch, `http://${host}/`));
      expect([host, found]).toEqual([host, reason as never]);
    }
  });
});

describe('rate limits hold for', () => {
  test('each site, across users and host names', async () => {
    await using world = createWorld();
    const answer: RequestListener = (_, response) => {
      response.end('ok');
    };
    await world.serve('a.example.com', answer);
    await world.serve('b.example.com', answer);
    await world.serve('other.com', answer);
    world.start({ siteBudgetRequests: 2, siteBudgetRefillMs: 1_000 });
    await textOf(world.fetch, 'http://a.example.com/');
    await textOf(world.fetch, 'http://b.example.com/');
    const refused = await failure(textOf(world.fetch, 'http://a.example.com/'));
    expect(refused).toMatchObject({ reason: 'site_budget' });
    expect(await textOf(world.fetch, 'http://other.com/')).toBe('ok');
    world.clock.time += 999;
    expect(await reasonOf(textOf(world.fetch, 'http://b.example.com/'))).toBe('site_budget');
    world.clock.time += 1;
    expect(await textOf(world.fetch, 'http://b.example.com/')).toBe('ok');
  });

  test('the target of a redirect', async () => {
    await using world = createWorld();
    await world.serve('a.com', (_, response) => {
      response.writeHead(302, { location: 'http://victim.com/' }).end();
    });
    await world.serve('victim.com', (_, response) => response.end('ok'));
    world.start({ siteBudgetRequests: 3 });
    for (let round = 0; round < 3; round++) await textOf(world.fetch, 'http://a.com/');
    expect(await reasonOf(textOf(world.fetch, 'http://victim.com/'))).toBe('site_budget');
  });

  test('concurrent requests to one site, and in total', async () => {
    await using world = createWorld();
    let open = 0;
    let mostOpen = 0;
    const waiting: (() => void)[] = [];
    const held: RequestListener = (_, response) => {
      mostOpen = Math.max(mostOpen, ++open);
      waiting.push(() => {
        open--;
        response.end('ok');
      });
    };
    await world.serve('a.com', held);
    await world.serve('b.com', held);
    world.start({ siteConcurrencyMax: 2, concurrencyMax: 3, siteQueueMax: 3 });
    const tasks = ['a', 'a', 'a', 'a', 'a', 'b', 'b'].map((name) =>
      textOf(world.fetch, `http://${name}.com/`),
    );
    expect(await reasonOf(textOf(world.fetch, 'http://a.com/'))).toBe('busy');
    let done = 0;
    const all = Promise.all(tasks.map((task) => task.then(() => done++)));
    while (done < tasks.length) {
      await Bun.sleep(1);
      waiting.shift()?.();
    }
    await all;
    expect(mostOpen).toBeLessThanOrEqual(3);
    expect(world.requests.filter((line) => line.startsWith('a.com')).length).toBe(5);
  });
});
