/** Servers on loopback that stand for sites of the internet, and a fetcher that finds them. */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../../src/lib/clock.ts';
import { FetchFailure, type FetchFailureReason } from '../../../src/trust/page/failures.ts';
import {
  GuardedFetch,
  type FetchEvent,
  type GuardedFetchOptions,
} from '../../../src/trust/page/guarded-fetch.ts';
import type { FetchLimits } from '../../../src/trust/page/limits.ts';
import { PageReader, type PageRead } from '../../../src/trust/page/page-reader.ts';
import { Robots } from '../../../src/trust/page/robots.ts';
import { parseFetchAllow, parseFetchResolve } from '../../../src/trust/page/settings.ts';
import { certificate, key, listenOn } from '../../support/servers.ts';

export class ManualClock implements Clock {
  time = 1_800_000_000_000;

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }
}

export interface World extends AsyncDisposable {
  clock: ManualClock;
  fetch: GuardedFetch;
  robots: Robots;
  reader: PageReader;
  events: FetchEvent[];
  /** `host path` of every request to a site of `serve`, in order. */
  requests: string[];
  /** Serves a site over HTTP at `host:80`. */
  serve(host: string, listener: RequestListener): Promise<void>;
  /** Serves it with TLS at `host:443`, as `secure.example`. */
  serveSecure(host: string, listener: RequestListener): Promise<void>;
  /** Serves `host:80` byte by byte as the test decides; called once a request has come. */
  serveRaw(host: string, answer: (socket: Socket) => void): Promise<void>;
  /** A fetcher that finds the sites served so far. */
  start(limits?: Partial<FetchLimits>, options?: Partial<GuardedFetchOptions>): void;
}

export function createWorld(): World {
  const servers: Server[] = [];
  const clock = new ManualClock();
  const found: string[] = [];
  const listen = async (server: Server, host: string) => {
    servers.push(server);
    found.push(`${host}=127.0.0.1:${await listenOn(server, '127.0.0.1')}`);
  };
  const logged =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      world.requests.push(`${request.headers.host} ${request.url}`);
      listener(request, response);
    };
  const parts = (limits: Partial<FetchLimits>, options: Partial<GuardedFetchOptions>) => {
    const fetch = new GuardedFetch({
      clock,
      allow: parseFetchAllow('127.0.0.1'),
      resolve: parseFetchResolve(found.join(',')),
      resolver: () => Promise.reject(new Error('no name service in tests')),
      limits,
      onFetch: (event) => world.events.push(event),
      ...options,
    });
    const robots = new Robots({ fetch, clock });
    return { fetch, robots, reader: new PageReader({ fetch, robots, clock }) };
  };
  const world: World = {
    clock,
    events: [],
    requests: [],
    ...parts({}, {}),
    serve: (host, listener) => listen(createHttpServer(logged(listener)), `${host}:80`),
    serveSecure: (host, listener) =>
      listen(createSecureServer({ key, cert: certificate }, logged(listener)), `${host}:443`),
    serveRaw: (host, answer) =>
      listen(
        createServer((socket) => {
          socket.on('error', () => {});
          socket.once('data', () => answer(socket));
        }),
        `${host}:80`,
      ),
    start: (limits = {}, options = {}) => Object.assign(world, parts(limits, options)),
    [Symbol.asyncDispose]: async () => {
      world.fetch.close();
      for (const server of servers) server.close();
    },
  };
  return world;
}

/** A site whose home page is `html`, without a robots.txt. */
export function page(html: string | Uint8Array, contentType = 'text/html'): RequestListener {
  return (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': contentType }).end(html);
  };
}

export async function allOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The body found at an address, as text. */
export function textOf(fetch: GuardedFetch, url: string): Promise<string> {
  return fetch.get(url, {}, ({ body }) => allOf(body));
}

/** Why a fetch failed; throws if it did not. */
export async function reasonOf(task: Promise<unknown>): Promise<FetchFailureReason> {
  try {
    await task;
  } catch (error) {
    if (error instanceof FetchFailure) return error.reason;
    throw error;
  }
  throw new Error('the fetch was expected to fail');
}

/** The read page of a site; throws if it could not be read. */
export async function readPage(reader: PageReader, domain: string): Promise<PageRead> {
  const result = await reader.read({ domain });
  if (!result.ok) throw new Error(`could not be read: ${result.reason}`);
  return result;
}
