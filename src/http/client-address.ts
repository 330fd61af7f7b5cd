import { BlockList, isIP } from 'node:net';
import { unbracketed } from '../lib/network/vetted-host.ts';

/** A set of addresses, by CIDR ranges. */
export class Networks {
  readonly #ranges = new BlockList();

  /** @param ranges addresses or CIDR ranges @throws if one is neither */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const [address = '', prefix] = range.split('/');
      const version = isIP(address);
      if (version === 0) throw new Error(`${range} is not an address or CIDR range`);
      const family = version === 6 ? 'ipv6' : 'ipv4';
      const bits = prefix === undefined ? (version === 6 ? 128 : 32) : Number(prefix);
      this.#ranges.addSubnet(address, bits, family);
    }
  }

  /** @param address any text; only an address can be in the set */
  has(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#ranges.check(address, version === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Headers in which proxies report the client, or themselves. */
const forwardingHeaders = [
  'x-forwarded-for',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'x-azure-clientip',
  'x-envoy-external-address',
  'x-original-forwarded-for',
  'x-forwarded',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
];

/**
 * Whether a header shows that a proxy sent the request. X-Forwarded-For with addresses of this machine does not count.
 */
export function isForwarded(headers: Headers): boolean {
  return forwardingHeaders.some((name) => {
    const value = headers.get(name);
    if (value === null) return false;
    const hops = name === 'x-forwarded-for' ? value.split(',') : [''];
    return !hops.every((hop) => isLoopback(hop.trim()));
  });
}

/** Finds a client's address. X-Forwarded-For counts only if it comes from a proxy that the operator trusts. */
export class ClientAddress {
  readonly #trusted: Networks;

  /** @param proxies addresses or CIDR ranges @throws if one is neither */
  constructor(proxies: readonly string[]) {
    this.#trusted = new Networks(proxies);
  }

  /** @param peer the address of the connection itself */
  of(peer: string, headers: Headers): string {
    let address = unmapped(peer);
    const forwarded = headers.get('x-forwarded-for');
    if (forwarded === null) return address;
    // From the nearest proxy outward, as long as the proxy that reports the next address is trusted.
    const hops = forwarded.split(',').map((hop) => unmapped(withoutPort(hop.trim())));
    for (const hop of hops.toReversed()) {
      if (!this.#trusted.has(address) || isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  }

  /**
   * Whether the address is certainly the client's. It is the proxy's if the proxy is not trusted, or does not send
   * X-Forwarded-For.
   */
  isCertain(peer: string, headers: Headers): boolean {
    if (this.#trusted.has(unmapped(peer)) && headers.has('x-forwarded-for')) return true;
    return !isForwarded(headers);
  }
}

/** Dual-stack sockets report an IPv4 peer as `::ffff:127.0.0.1`. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Some proxies (Azure's gateway, AWS's balancer on request) add the client's port: `1.2.3.4:5678`, `[::1]:5678`. */
function withoutPort(hop: string): string {
  return unbracketed(hop.replace(/^(\d+(?:\.\d+){3}|\[.*\]):\d+$/, '$1'));
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
