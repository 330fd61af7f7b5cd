import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { AddressGuard } from '../../../src/lib/network/addresses.ts';
import { deniedRanges } from './denied-ranges.ts';
import { parseFetchAllow } from '../../../src/trust/page/settings.ts';

const strict = new AddressGuard([]);

/** The first and the last address of a range, and one in between. */
function samplesOf(range: string): string[] {
  const [network, bits] = ipaddr.parseCIDR(range);
  const first = network.toByteArray();
  const fill = (value: (index: number) => number) =>
    first.map((byte, index) => {
      const free = 8 - Math.min(8, Math.max(0, bits - index * 8));
      return byte | (value(index) & (2 ** free - 1));
    });
  const samples = [first, fill(() => 0xff), fill((index) => 0x5a + index)];
  return samples.map((bytes) => ipaddr.fromByteArray(bytes).toString());
}

describe('the guard denies', () => {
  test.each(deniedRanges.map(([range, what]) => [range, what]))('%s, %s', (range) => {
    for (const address of samplesOf(range)) {
      expect({ address, ...strict.vet(address) }).toMatchObject({ address, permitted: false });
    }
  });

  test('ranges are well-formed and begin at their first address', () => {
    for (const [range] of deniedRanges) {
      expect(parseFetchAllow(range)).toHaveLength(1);
    }
  });

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '100.100.100.200',
    '192.0.0.192',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'fec0::1',
    'ff02::1',
    '2606:4700::5efe:10.0.0.1',
    '2606:4700::200:5efe:7f00:1',
    '',
    'localhost',
    'example.com',
    '0177.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '[::1]',
    '1.1.1.1.',
  ])('%p', (address) => {
    expect(strict.vet(address).permitted).toBe(false);
  });

  test('every IPv6 address that carries a private IPv4 address', () => {
    const secret = fc.constantFrom('127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.0.1');
    const carriers = fc.constantFrom<(a: number, b: number) => string>(
      (a, b) => `::ffff:${hex(a)}:${hex(b)}`,
      (a, b) => `::${hex(a)}:${hex(b)}`,
      (a, b) => `64:ff9b::${hex(a)}:${hex(b)}`,
      (a, b) => `64:ff9b:1:aa::${hex(a)}:${hex(b)}`,
      (a, b) => `2002:${hex(a)}:${hex(b)}::1`,
      (a, b) => `2001:0:808:808:0:0:${hex(a ^ 0xffff)}:${hex(b ^ 0xffff)}`,
      (a, b) => `2a00:1450:4000:1::5efe:${hex(a)}:${hex(b)}`,
    );
    // Even if the operator allows all of IPv6, the embedded address is checked separately.
    const open = new AddressGuard(parseFetchAllow('::/0'));
    fc.assert(
      fc.property(secret, carriers, (address, carry) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const carried = carry(a * 256 + b, c * 256 + d);
        expect(strict.vet(carried).permitted).toBe(false);
        expect(open.vet(carried).permitted).toBe(false);
      }),
    );
  });
});

function hex(value: number): string {
  return value.toString(16);
}

describe('the guard permits', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '77.88.55.242',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '2a02:6b8::2:242',
    '2400:cb00::1',
  ])('%s', (address) => {
    expect(strict.vet(address)).toEqual({ permitted: true, anyPort: false, why: '' });
  });

  test('exactly what the operator allowed, on any port', () => {
    const guard = new AddressGuard(parseFetchAllow('127.0.0.1, 10.1.0.0/16, fd12::/16'));
    for (const address of ['127.0.0.1', '10.1.0.0', '10.1.255.255', 'fd12::1']) {
      expect(guard.vet(address)).toMatchObject({ permitted: true, anyPort: true });
    }
    for (const address of ['127.0.0.2', '10.2.0.0', '10.0.255.255', 'fd13::1', '::1']) {
      expect(guard.vet(address)).toMatchObject({ permitted: false });
    }
    expect(guard.vet('::ffff:127.0.0.1').permitted).toBe(false);
    expect(guard.vet('1.1.1.1')).toMatchObject({ permitted: true, anyPort: false });
  });

  test('only public addresses behind an allowed NAT64 prefix', () => {
    const guard = new AddressGuard(parseFetchAllow('64:ff9b::/96'));
    expect(guard.vet('64:ff9b::8.8.8.8').permitted).toBe(true);
    expect(guard.vet('64:ff9b::10.0.0.1').permitted).toBe(false);
  });
});

test('the guard agrees with the ranges of ipaddr.js', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(address, (text) => {
      const isUnicast = ipaddr.parse(text).range() === 'unicast';
      if (!isUnicast) expect(strict.vet(text).permitted).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});
