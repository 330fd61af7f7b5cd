import { describe, expect, test } from 'bun:test';
import { AddressGuard } from '../../../src/lib/network/addresses.ts';
import { hostOf, vetHost } from '../../../src/lib/network/vetted-host.ts';
import { parseFetchAllow } from '../../../src/trust/index.ts';
import { failure } from '../../support/failure.ts';

/** Checks a URL whose name resolves to these addresses, of which `allow` are allowed. */
async function vet(url: string, addresses: string[], allow = '') {
  const names: string[] = [];
  const guard = new AddressGuard(parseFetchAllow(allow));
  const resolver = async (name: string) => {
    names.push(name);
    return addresses;
  };
  return { host: await vetHost(new URL(url), { guard, resolver }), names };
}

describe('a host', () => {
  test('has all addresses of its name, which is looked up once', async () => {
    const addresses = ['93.184.216.34', '2606:2800:220:1::1'];
    const { host, names } = await vet('https://a.example:8443/b', addresses);
    expect(host).toEqual({ permitted: true, addresses, anyPort: false });
    expect(names).toEqual(['a.example']);
  });

  test('is looked up without its final dot', async () => {
    expect((await vet('https://a.example./', ['93.184.216.34'])).names).toEqual(['a.example']);
    expect(hostOf(new URL('https://a.example./'))).toBe('a.example');
  });

  test.each([
    ['http://93.184.216.34/', '93.184.216.34'],
    ['http://0x5db8d822/', '93.184.216.34'],
    ['http://[2606:2800:220:1::1]/', '2606:2800:220:1::1'],
  ])('that is an address, %s, is not looked up', async (url, address) => {
    const { host, names } = await vet(url, ['127.0.0.1']);
    expect(host).toEqual({ permitted: true, addresses: [address], anyPort: false });
    expect(names).toEqual([]);
  });

  test.each(['http://127.0.0.1/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://0/'])(
    'that is a private address, %s, is refused',
    async (url) => {
      const { host, names } = await vet(url, ['93.184.216.34']);
      expect(host).toMatchObject({ permitted: false, reason: 'denied' });
      expect(names).toEqual([]);
    },
  );

  test.each([
    [['127.0.0.1']],
    [['93.184.216.34', '10.0.0.7']],
    [['10.0.0.7', '93.184.216.34']],
    [[...Array.from({ length: 50 }, () => '93.184.216.34'), '::1']],
    [['no address']],
  ])('is refused for one private address: %j', async (addresses) => {
    const { host } = await vet('https://a.example/', addresses);
    expect(host).toMatchObject({ permitted: false, reason: 'denied' });
  });

  test('without an address is refused', async () => {
    const { host } = await vet('https://a.example/', []);
    expect(host).toEqual({ permitted: false, reason: 'no_address', why: 'no address' });
  });

  test('may be reached at any port if all its addresses are allowed', async () => {
    const inside = ['10.0.0.7', '10.0.0.8'];
    const { host } = await vet('https://a.example/', inside, '10.0.0.0/24');
    expect(host).toEqual({ permitted: true, addresses: inside, anyPort: true });
    const both = await vet('https://a.example/', ['10.0.0.7', '93.184.216.34'], '10.0.0.0/24');
    expect(both.host).toMatchObject({ permitted: true, anyPort: false });
  });

  test('fails with the error of its name service', async () => {
    const resolver = () => Promise.reject(new Error('no such name'));
    const task = vetHost(new URL('https://a.example/'), { guard: new AddressGuard([]), resolver });
    expect(await failure(task)).toMatchObject({ message: 'no such name' });
  });
});
