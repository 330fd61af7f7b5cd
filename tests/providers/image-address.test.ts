import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { AddressGuard } from '../../src/lib/network/addresses.ts';
import { fetchImage } from '../../src/providers/openai/image-url.ts';
import type { PublicNetwork } from '../../src/providers/shared/public-get.ts';
import { parseFetchAllow } from '../../src/trust/index.ts';
import { certificate, key, listenOn } from '../support/servers.ts';
import { providerErrorOf } from './fixtures.ts';

const BASE_URL = 'https://api.provider.example/v1';
const picture = new Uint8Array(70_000).map((_, index) => index);

let server: Server;
let port: number;
let requests: IncomingMessage[] = [];
let answer: RequestListener;

beforeAll(async () => {
  server = createServer({ key, cert: certificate }, (request, response) => {
    requests.push(request);
    answer(request, response);
  });
  port = await listenOn(server, '127.0.0.1');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Names resolve to the addresses of the test. Loopback stands for the internet where it is allowed. */
function networkOf(
  addresses: string[],
  { allow = '', ca = true }: { allow?: string; ca?: boolean } = {},
) {
  requests = [];
  const names: string[] = [];
  const network: PublicNetwork = {
    guard: new AddressGuard(parseFetchAllow(allow)),
    resolver: async (name) => {
      names.push(name);
      return addresses;
    },
    ...(ca && { ca: [certificate] }),
  };
  return { names, network };
}

function imageFrom(host: string, network: PublicNetwork, signal = new AbortController().signal) {
  return fetchImage(`https://${host}:${port}/a.png?part=1`, BASE_URL, signal, network);
}

const png: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'image/png' }).end(picture);

describe('an image at an address that a provider returned', () => {
  test('is fetched from the address that was checked', async () => {
    answer = png;
    const { names, network } = networkOf(['127.0.0.1'], { allow: '127.0.0.1' });
    expect(await imageFrom('secure.example', network)).toEqual(picture);
    expect(names).toEqual(['secure.example']);
    expect(requests.map(({ url, headers }) => [url, headers.host, headers.authorization])).toEqual([
      ['/a.png?part=1', `secure.example:${port}`, undefined],
    ]);
  });

  test.each([
    [['127.0.0.1']],
    [['10.0.0.7']],
    [['169.254.169.254']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['fd00:ec2::254']],
    [['93.184.216.34', '127.0.0.1']],
    [['127.0.0.1', '93.184.216.34']],
    [[]],
  ])('is not fetched if its name leads to %p, and nothing is connected to', async (addresses) => {
    answer = png;
    const { network } = networkOf(addresses);
    const error = await providerErrorOf(() => imageFrom('secure.example', network));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
    expect(requests).toHaveLength(0);
  });

  test('is not fetched from a server without a certificate for its name', async () => {
    answer = png;
    for (const [host, ca] of [
      ['other.example', true],
      ['secure.example', false],
    ] as const) {
      const { network } = networkOf(['127.0.0.1'], { allow: '127.0.0.1', ca });
      const error = await providerErrorOf(() => imageFrom(host, network));
      expect(error).toMatchObject({ fault: 'failed', accepted: true });
      expect(requests).toHaveLength(0);
    }
  });

  test.each([
    ['a redirect', 302, 'image/png'],
    ['an error', 404, 'image/png'],
    ['a page', 200, 'text/html'],
  ])('that is %s is a failure', async (_what, status, type) => {
    answer = (_request, response) => {
      response.writeHead(status, { 'content-type': type, location: 'https://secure.example/b' });
      response.end('x');
    };
    const { network } = networkOf(['127.0.0.1'], { allow: '127.0.0.1' });
    const error = await providerErrorOf(() => imageFrom('secure.example', network));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
    expect(requests).toHaveLength(1);
  });

  test('that breaks off, or is no longer awaited, is a failure', async () => {
    const { network } = networkOf(['127.0.0.1'], { allow: '127.0.0.1' });
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '100' });
      response.write('x', () => response.destroy());
    };
    const broken = await providerErrorOf(() => imageFrom('secure.example', network));
    expect(broken).toMatchObject({ fault: 'failed', accepted: true });

    const stop = new AbortController();
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.write('x', () => stop.abort(new DOMException('', 'TimeoutError')));
    };
    const late = await providerErrorOf(() => imageFrom('secure.example', network, stop.signal));
    expect(late).toMatchObject({ fault: 'timeout', accepted: true });
  });

  test('does not wait for a name that cannot be resolved', async () => {
    const { network } = networkOf([]);
    const signal = AbortSignal.abort(new DOMException('', 'TimeoutError'));
    const never = { ...network, resolver: () => new Promise<never>(() => undefined) };
    const error = await providerErrorOf(() => imageFrom('secure.example', never, signal));
    expect(error).toMatchObject({ fault: 'timeout', accepted: true });
  });
});
