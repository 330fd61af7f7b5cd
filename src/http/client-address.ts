import { BlockList, isIP } from 'node:net';

/** Finds a client's address. X-Forwarded-For counts only if it comes from a proxy that the operator trusts. */
export class ClientAddress {
  readonly #trusted = new BlockList();

  /** @param proxies addresses or CIDR ranges @throws if one is neither */
  constructor(proxies: readonly string[]) {
    for (const proxy of proxies) {
      const [address = '', prefix] = proxy.split('/');
      const version = isIP(address);
      if (version === 0) {
        throw new Error(`ZASTAVA_TRUSTED_PROXIES: ${proxy} is not an address or CIDR range`);
      }
      const family = version === 6 ? 'ipv6' : 'ipv4';
      const bits = prefix === undefined ? (version === 6 ? 128 : 32) : Number(prefix);
      this.#trusted.addSubnet(address, bits, family);
    }
  }

  /** @param peer the address of the connection itself */
  of(peer: string, headers: Headers): string {
    let address = unmapped(peer);
    const forwarded = headers.get('x-forwarded-for');
    if (forwarded === null) return address;
    // From the nearest proxy outward, as long as the proxy that reports the next address is trusted.
    const hops = forwarded.split(',').map((hop) => unmapped(hop.trim()));
    for (const hop of hops.toReversed()) {
      if (!this.#isTrusted(address) || isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  }

  #isTrusted(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Dual-stack sockets report an IPv4 peer as `::ffff:127.0.0.1`. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** True for a loopback address. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
