/** The client's address, and the proxies that may state it. */
import { expect, test } from 'bun:test';
import { ClientAddress, isLoopback } from '../../src/http/client-address.ts';

test.each([
  ['nobody is named', [], '10.0.0.1', '1.2.3.4', '10.0.0.1'],
  ['the peer is none of them', ['10.0.0.1'], '10.0.0.2', '1.2.3.4', '10.0.0.2'],
  ['the peer is one', ['10.0.0.1'], '10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['no more than one hop is trusted', ['10.0.0.1'], '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
  ['a chain is', ['10.0.0.0/8'], '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9', '1.2.3.4'],
  ['a hop is no address', ['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, unknown', '10.0.0.1'],
  ['the socket has both families', ['10.0.0.1'], '::ffff:10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['another address of its range comes', ['fd00::1'], 'fd00::2', '1.2.3.4', 'fd00::2'],
  ['its port is added', ['10.0.0.1'], '10.0.0.1', '1.2.3.4:5678', '1.2.3.4'],
  [
    'a port is added to an IPv6 address',
    ['10.0.0.1'],
    '10.0.0.1',
    '[2001:db8::5]:80',
    '2001:db8::5',
  ],
  ['it is an IPv6 address in brackets', ['10.0.0.1'], '10.0.0.1', '[2001:db8::5]', '2001:db8::5'],
  ['it is an IPv6 address', ['fd00::1'], 'fd00::1', '2001:db8::5', '2001:db8::5'],
])('%s: with trusted proxies %j, %s forwards %j', (_, proxies, peer, forwarded, address) => {
  const headers = new Headers({ 'x-forwarded-for': forwarded });
  expect(new ClientAddress(proxies).of(peer, headers)).toBe(address);
});

test("without the header the address is the peer's, in its plain form", () => {
  expect(new ClientAddress(['127.0.0.1']).of('::ffff:127.0.0.1', new Headers())).toBe('127.0.0.1');
});

test('an invalid address of a proxy is refused by name', () => {
  expect(() => new ClientAddress(['localhost'])).toThrow('localhost is not an address');
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['10.0.0.1', false],
])('%s is an address of this machine: %p', (address, own) => {
  expect(isLoopback(address)).toBe(own);
});
