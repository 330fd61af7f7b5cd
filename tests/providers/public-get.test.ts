import { expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { AddressGuard } from '../../src/lib/network/addresses.ts';
import { Stopper } from '../../src/lib/stop-signal.ts';
import { getPublic } from '../../src/providers/openai/image-url.ts';
import { parseFetchAllow } from '../../src/trust/index.ts';
import { listenOn } from '../support/servers.ts';
import { providerErrorOf } from './fixtures.ts';

test('addresses that a provider returns are fetched only by https', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  const port = await listenOn(server, '127.0.0.1');
  const network = {
    guard: new AddressGuard(parseFetchAllow('127.0.0.1')),
    resolver: async () => ['127.0.0.1'],
  };
  for (const scheme of ['http', 'ftp']) {
    const url = new URL(`${scheme}://a.example:${port}/`);
    const error = await providerErrorOf(() => getPublic(url, new Stopper(), network));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
  }
  expect(connections).toBe(0);
  const url = new URL(`https://a.example:${port}/`);
  await providerErrorOf(() => getPublic(url, new Stopper(), network));
  expect(connections).toBe(1);
  server.close();
});
