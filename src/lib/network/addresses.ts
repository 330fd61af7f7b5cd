import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses; `text` is its written form. */
export interface Cidr {
  readonly text: string;
  readonly network: Address;
  readonly bits: number;
}

interface AddressVerdict {
  permitted: boolean;
  /** The operator allowed it explicitly, so that any port may be used. */
  anyPort: boolean;
  /** Why the address is denied; for logs. */
  why: string;
}

/** The part of IPv6 that is assigned for the public internet (RFC 4291). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Denied in addition to what ipaddr.js knows from IANA's registries. */
const alsoDenied = [
  { range: ipaddr.parseCIDR('168.63.129.16/32'), why: 'the platform service of Azure' },
  { range: ipaddr.parseCIDR('3ffe::/16'), why: '6bone, returned (RFC 3701)' },
];

const NOT_AN_ADDRESS: AddressVerdict = { permitted: false, anyPort: false, why: 'no IP address' };

/** Permits connections to the public internet, and to addresses that the operator allowed. */
export class AddressGuard {
  readonly #allowed: readonly Cidr[];

  constructor(allowed: readonly Cidr[]) {
    this.#allowed = allowed;
  }

  /**
   * @param address as a resolver or the URL parser writes it, without brackets. An IPv6 address with a zone
   * (`fe80::1%eth0`) is never permitted
   */
  vet(address: string): AddressVerdict {
    if (isIP(address) === 0 || address.includes('%')) return NOT_AN_ADDRESS;
    return this.#vet(ipaddr.parse(address));
  }

  #vet(address: Address): AddressVerdict {
    const anyPort = this.#allowed.some(({ network, bits }) => contains([network, bits], address));
    const why = anyPort ? undefined : whyDenied(address);
    if (why !== undefined) return { permitted: false, anyPort, why };
    // An operator behind NAT64 allows 64:ff9b::/96; the IPv4 address inside must be permitted as well.
    for (const inner of embeddedIpv4(address)) {
      const verdict = this.#vet(inner);
      if (!verdict.permitted) return { ...verdict, why: `leads to ${verdict.why}` };
    }
    return { permitted: true, anyPort, why: '' };
  }
}

/** The special range that an address is in, e.g. `loopback`; undefined for the public internet. */
function whyDenied(address: Address): string | undefined {
  const range = address.range();
  if (range !== 'unicast') return range;
  if (address.kind() === 'ipv6' && !contains(globalUnicast, address)) {
    return 'outside global unicast';
  }
  return alsoDenied.find((denied) => contains(denied.range, address))?.why;
}

function contains([network, bits]: readonly [Address, number], address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

/** The IPv4 addresses to which packets for an IPv6 address may be delivered. */
function embeddedIpv4(address: Address): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return [];
  const parts = address.parts;
  const at = (index: number) => parts[index] ?? 0;
  const last = ipv4(at(6), at(7));
  if (at(0) === 0x2002) return [ipv4(at(1), at(2))];
  // Teredo: the server's address, and the client's with inverted bits.
  if (at(0) === 0x2001 && at(1) === 0) {
    return [ipv4(at(2), at(3)), ipv4(at(6) ^ 0xffff, at(7) ^ 0xffff)];
  }
  const isNat64 = at(0) === 0x64 && at(1) === 0xff9b;
  const hasLowPrefix = parts.slice(0, 4).every((part) => part === 0);
  const isIsatap = at(5) === 0x5efe && (at(4) === 0 || at(4) === 0x200);
  return isNat64 || hasLowPrefix || isIsatap ? [last] : [];
}

function ipv4(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}
