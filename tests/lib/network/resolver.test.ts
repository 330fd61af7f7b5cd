/** Names are resolved by the machine's name service. The name server is a double; nothing leaves the machine. */
import { expect, spyOn, test } from 'bun:test';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { systemResolver } from '../../../src/lib/network/resolver.ts';
import { failure } from '../../support/failure.ts';

const HEADER_BYTES = 12;
const TYPE_A = 1;

interface NameServer extends AsyncDisposable {
  /** Resolves when at least this many names were requested. */
  requested(names: number): Promise<void>;
  /** Answers all past and future requests, with 9.9.9.9. */
  answer(): void;
}

/** A name server that stays silent until the test lets it answer, used instead of the machine's. */
async function openNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  const waiting: [Buffer, RemoteInfo][] = [];
  const names = new Set<string>();
  let isAnswering = false;
  let onRequest = () => {};
  socket.on('message', (query, from) => {
    names.add(query.subarray(HEADER_BYTES, endOfName(query)).toString('hex'));
    if (isAnswering) reply(socket, query, from);
    else waiting.push([query, from]);
    onRequest();
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const before = getServers();
  setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    requested: (count) =>
      new Promise((resolve) => {
        onRequest = () => names.size >= count && resolve();
        onRequest();
      }),
    answer() {
      isAnswering = true;
      for (const [query, from] of waiting) reply(socket, query, from);
    },
    async [Symbol.asyncDispose]() {
      setServers(before);
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}

/** After the name: each label with its length and letters, and the empty label. */
function endOfName(query: Buffer): number {
  let at = HEADER_BYTES;
  while (query[at]) at += 1 + (query[at] ?? 0);
  return at + 1;
}

function reply(socket: Socket, query: Buffer, { port, address }: RemoteInfo): void {
  const end = endOfName(query);
  const hasAddress = query.readUInt16BE(end) === TYPE_A;
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(hasAddress ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const record = [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 5, 0, 4, 9, 9, 9, 9];
  const parts = [header, query.subarray(HEADER_BYTES, end + 4), Buffer.from(record)];
  socket.send(Buffer.concat(hasAddress ? parts : parts.slice(0, 2)), port, address);
}

test('silent name servers delay no file, password or other name', async () => {
  await using server = await openNameServer();
  const found = Array.from({ length: 64 }, (_, number) => systemResolver(`n${number}.silent.test`));
  await server.requested(found.length);
  // If lookups occupied threads, these reads would wait for the missing answers.
  expect(await readFile(import.meta.path, 'utf8')).toContain('hold up no file');
  expect(await Bun.password.verify('a', await Bun.password.hash('a'))).toBe(true);
  expect(await systemResolver('localhost')).toContain('127.0.0.1');
  server.answer();
  expect(await Promise.all(found)).toEqual(found.map(() => ['9.9.9.9']));
});

test("the system's resolver is used if no name server can be reached", async () => {
  const before = getServers();
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(resolve));
  setServers([`127.0.0.1:${port}`]);
  try {
    const refused = await failure(Bun.dns.lookup('nobody.test', { backend: 'c-ares' }));
    expect(refused).toMatchObject({ code: 'DNS_ECONNREFUSED' });
    // As for `localhost`, which both resolvers know without a server.
    const inBothWays = Bun.dns.lookup;
    const lookup = spyOn(Bun.dns, 'lookup').mockImplementation((host, options) =>
      options?.backend === 'c-ares' ? Promise.reject(refused) : inBothWays(host, options),
    );
    try {
      expect(await systemResolver('localhost')).toContain('127.0.0.1');
    } finally {
      lookup.mockRestore();
    }
  } finally {
    setServers(before);
  }
});
