/** No private address is ever connected to, in any spelling, by any name or redirect. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer } from 'node:http';
import { createServer as createDecoy, type Server } from 'node:net';
import { GuardedFetch } from '../../../src/trust/page/guarded-fetch.ts';
import type { Resolver } from '../../../src/lib/network/resolver.ts';
import { parseFetchAllow, parseFetchResolve } from '../../../src/trust/page/settings.ts';
import { listenOn } from '../../support/servers.ts';
import { ManualClock, reasonOf, textOf } from './world.ts';

/** A loopback address that stands for the public internet here. */
const PUBLIC = process.platform === 'darwin' ? '::1' : '127.0.0.9';

let connections = 0;
let decoys: Server[] = [];
let decoyPort = 0;
let publicPort = 0;
let location = '';
const requested: string[] = [];

const entry = createServer((request, response) => {
  requested.push(request.url ?? '');
  if (request.url === '/here') response.end('public');
  else response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end();
});

beforeAll(async () => {
  const decoy = () =>
    createDecoy((socket) => {
      connections++;
      socket.destroy();
    });
  const [four, six] = [decoy(), decoy()];
  decoys = [four];
  decoyPort = await listenOn(four, '127.0.0.1');
  // The same port on IPv6, where the machine has it.
  await new Promise<void>((resolve) => {
    six.once('error', () => resolve());
    six.listen({ port: decoyPort, host: '::1', ipv6Only: true }, () => {
      decoys.push(six);
      resolve();
    });
  });
  publicPort = await listenOn(entry, PUBLIC);
});

afterAll(() => {
  entry.close();
  for (const decoy of decoys) decoy.close();
});

function fetcher(resolver: Resolver = () => Promise.reject(new Error('no name service'))) {
  const at = PUBLIC.includes(':') ? `[${PUBLIC}]` : PUBLIC;
  return new GuardedFetch({
    clock: new ManualClock(),
    allow: parseFetchAllow(PUBLIC),
    resolve: parseFetchResolve(`start.example:80=${at}:${publicPort}`),
    resolver,
    // The guard allows the decoys' port, so that only the address is in the way.
    limits: { ports: [80, 443, decoyPort], siteBudgetRequests: 10_000 },
  });
}

const TARGETS = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
];

type Spell = (octets: number[], number: number) => string;
const hex = (value: number) => value.toString(16);
const pair = (a = 0, b = 0) => hex(a * 256 + b);

const spellings: Record<string, Spell> = {
  dotted: (octets) => octets.join('.'),
  decimal: (_, number) => String(number),
  hexadecimal: (_, number) => `0x${hex(number)}`,
  octal: (_, number) => `0${number.toString(8)}`,
  'octal, dotted': (octets) => octets.map((value) => `0${value.toString(8)}`).join('.'),
  'hexadecimal, dotted': (octets) => octets.map((value) => `0x${hex(value)}`).join('.'),
  'two parts': ([a], number) => `${a}.${number % 2 ** 24}`,
  'three parts': ([a, b], number) => `${a}.${b}.${number % 2 ** 16}`,
  'leading zeros': (octets) => octets.map((value) => `000${value.toString(8)}`).join('.'),
  'final dot': (octets) => `${octets.join('.')}.`,
  percent: (octets) => octets.join('.').replace(/\d/g, (digit) => `%3${digit}`),
  'wide digits': (octets) =>
    octets.join('.').replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  'wide dots': (octets) => octets.join('。'),
  'circled digits': (octets) =>
    octets
      .join('.')
      .replace(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit)))
      .replace(/0/g, '⓪'),
  credentials: (octets) => `public.example:secret@${octets.join('.')}`,
  'IPv4-mapped': (octets) => `[::ffff:${octets.join('.')}]`,
  'IPv4-mapped, hexadecimal': ([a, b, c, d]) => `[0:0:0:0:0:ffff:${pair(a, b)}:${pair(c, d)}]`,
  'IPv4-compatible': (octets) => `[::${octets.join('.')}]`,
  'IPv4-translated': (octets) => `[::ffff:0:${octets.join('.')}]`,
  NAT64: (octets) => `[64:ff9b::${octets.join('.')}]`,
  'local NAT64': (octets) => `[64:ff9b:1::${octets.join('.')}]`,
  '6to4': ([a, b, c, d]) => `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
  Teredo: ([a, b, c, d]) => `[2001:0:${pair(a, b)}:${pair(c, d)}::]`,
  ISATAP: ([a, b, c, d]) => `[2606:4700::5efe:${pair(a, b)}:${pair(c, d)}]`,
};

const literals = [
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
];

const hosts = [
  ...TARGETS.flatMap((target) => {
    const octets = target.split('.').map(Number);
    const number = octets.reduce((sum, value) => sum * 256 + value, 0);
    return Object.values(spellings).map((spell) => spell(octets, number));
  }),
  ...literals,
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
];

async function expectNoConnection(attempt: () => Promise<string>): Promise<void> {
  const before = connections;
  expect(await attempt()).toBe('denied_address');
  expect(connections).toBe(before);
}

/** POSTs a text, as a watch does to its webhook. */
function sent(guarded: GuardedFetch, url: string): Promise<number> {
  return guarded.post(url, {}, '{}', new AbortController().signal);
}

test('at least 250 spellings are tested', () => {
  expect(new Set(hosts).size).toBeGreaterThan(250);
});

test('the decoy servers count connections', async () => {
  const open = new GuardedFetch({ clock: new ManualClock(), allow: parseFetchAllow('127.0.0.1') });
  expect(await reasonOf(textOf(open, `http://127.0.0.1:${decoyPort}/`))).toBe('protocol');
  expect(connections).toBe(1);
});

describe('no private address is connected to', () => {
  for (const scheme of ['http', 'https']) {
    test(`by an address in ${scheme}`, async () => {
      const guarded = fetcher();
      for (const host of hosts) {
        const url = `${scheme}://${host}:${decoyPort}/`;
        await expectNoConnection(() => reasonOf(textOf(guarded, url)));
      }
    });
  }

  test('by a redirect', async () => {
    const guarded = fetcher();
    for (const host of hosts) {
      location = `http://${host}:${decoyPort}/`;
      await expectNoConnection(() => reasonOf(textOf(guarded, 'http://start.example/')));
    }
    expect(requested.length).toBe(hosts.length);
  });

  test('by a redirect without a scheme', async () => {
    const guarded = fetcher();
    location = `//127.0.0.1:${decoyPort}/`;
    await expectNoConnection(() => reasonOf(textOf(guarded, 'http://start.example/')));
  });

  test('by the webhook of a watch', async () => {
    const guarded = fetcher();
    for (const host of hosts) {
      for (const scheme of ['http', 'https']) {
        const url = `${scheme}://${host}:${decoyPort}/`;
        await expectNoConnection(() => reasonOf(sent(guarded, url)));
      }
    }
    location = `http://127.0.0.1:${decoyPort}/`;
    const before = connections;
    expect(await sent(guarded, 'http://start.example/')).toBe(302);
    expect(connections).toBe(before);
  });

  test('by a name with a private address', async () => {
    for (const target of [...TARGETS, '::1', '::ffff:127.0.0.1', 'fd00::1', '64:ff9b::7f00:1']) {
      const guarded = fetcher(() => Promise.resolve([target]));
      const url = `http://inside.example:${decoyPort}/`;
      await expectNoConnection(() => reasonOf(textOf(guarded, url)));
    }
  });

  test('by a name with public and private addresses', async () => {
    for (const found of [
      [PUBLIC, '127.0.0.1'],
      ['127.0.0.1', PUBLIC],
      [...Array.from({ length: 50 }, () => PUBLIC), '127.0.0.1'],
    ]) {
      const guarded = fetcher(() => Promise.resolve(found));
      const url = `http://mixed.example:${decoyPort}/`;
      await expectNoConnection(() => reasonOf(textOf(guarded, url)));
    }
  });

  test('by a name of the hosts file', async () => {
    const guarded = new GuardedFetch({
      clock: new ManualClock(),
      limits: { ports: [decoyPort] },
    });
    await expectNoConnection(() => reasonOf(textOf(guarded, `http://localhost:${decoyPort}/`)));
  });

  test('by ZASTAVA_FETCH_RESOLVE', async () => {
    const guarded = new GuardedFetch({
      clock: new ManualClock(),
      resolve: parseFetchResolve(`fixed.example:80=127.0.0.1:${decoyPort}`),
      limits: { ports: [80, decoyPort] },
    });
    await expectNoConnection(() => reasonOf(textOf(guarded, 'http://fixed.example/')));
  });
});

describe('rebinding', () => {
  test('a name is looked up once per hop, and the connection goes to that address', async () => {
    let calls = 0;
    const guarded = fetcher(() => Promise.resolve(calls++ === 0 ? [PUBLIC] : ['127.0.0.1']));
    expect(await textOf(guarded, `http://turning.example:${publicPort}/here`)).toBe('public');
    expect(calls).toBe(1);
    const again = `http://turning.example:${decoyPort}/`;
    await expectNoConnection(() => reasonOf(textOf(guarded, again)));
    expect(calls).toBe(2);
  });

  test('a name that changed between two hops is refused at the second', async () => {
    let calls = 0;
    const guarded = fetcher(() => Promise.resolve(calls++ === 0 ? [PUBLIC] : ['127.0.0.1']));
    location = `http://turning.example:${decoyPort}/`;
    const url = `http://turning.example:${publicPort}/`;
    await expectNoConnection(() => reasonOf(textOf(guarded, url)));
    expect(calls).toBe(2);
  });

  test('a name whose addresses alternate never leads to a private address', async () => {
    let calls = 0;
    const guarded = fetcher(() => Promise.resolve([calls++ % 2 === 0 ? PUBLIC : '127.0.0.1']));
    const before = connections;
    for (let round = 0; round < 20; round++) {
      const url = `http://turning.example:${publicPort}/here`;
      await textOf(guarded, url).catch(() => '');
    }
    expect(connections).toBe(before);
    expect(calls).toBe(20);
  });
});

describe('a webhook', () => {
  test('looks up its name at each attempt, and connects only to the address that was checked', async () => {
    let calls = 0;
    const guarded = fetcher(() => Promise.resolve([calls++ % 2 === 0 ? PUBLIC : '127.0.0.1']));
    const before = connections;
    const url = `http://turning.example:${publicPort}/here`;
    for (let round = 0; round < 10; round++) {
      expect(await sent(guarded, url)).toBe(200);
      expect(await reasonOf(sent(guarded, url))).toBe('denied_address');
    }
    expect(connections).toBe(before);
    expect(calls).toBe(20);
  });
});

describe('a fetch refuses', () => {
  test.each([
    ['ftp://start.example/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,hello', 'scheme'],
    ['gopher://start.example/', 'scheme'],
    ['not an address', 'invalid_url'],
    ['http://', 'invalid_url'],
    ['http://[::1', 'invalid_url'],
    ['http://start.example:99999/', 'invalid_url'],
    [`http://start.example/${'a'.repeat(5_000)}`, 'invalid_url'],
  ])('%#: %s', async (url, reason) => {
    expect(await reasonOf(textOf(fetcher(), url))).toBe(reason as never);
  });

  test('a redirect to another scheme', async () => {
    for (const target of ['ftp://start.example/', 'file:///etc/passwd', 'data:,x', 'ws://a.ru/']) {
      location = target;
      expect(await reasonOf(textOf(fetcher(), 'http://start.example/'))).toBe('scheme');
    }
  });

  test('another port of a public host', async () => {
    const guarded = new GuardedFetch({
      clock: new ManualClock(),
      resolver: () => Promise.resolve(['93.184.216.34']),
    });
    for (const port of [21, 22, 25, 8080, 8443, 6379]) {
      expect(await reasonOf(textOf(guarded, `http://public.example:${port}/`))).toBe('port');
    }
  });
});
