import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Cidr } from '../../lib/network/addresses.ts';
import { unbracketed } from '../../lib/network/vetted-host.ts';
import { siteOfHost } from '../identity.ts';

/** Replaces the name lookup of a host. */
export interface FixedAddress {
  address: string;
  port: number;
}

/** By `host:port`, with the host in ASCII. */
export type FixedAddresses = ReadonlyMap<string, FixedAddress>;

const PORT_MAX = 65_535;

/**
 * Parses ZASTAVA_FETCH_ALLOW: comma-separated addresses or CIDR ranges from which pages may be fetched on any port
 * although they are private.
 * @throws Error that names the invalid item and the right form
 */
export function parseFetchAllow(text: string): Cidr[] {
  return itemsOf(text).map(parseRange);
}

/**
 * Parses ZASTAVA_FETCH_RESOLVE: comma-separated items `host:port=address:port`, with IPv6 addresses in brackets. A host
 * named here is reachable only at the ports named here; its name is never looked up.
 * @throws Error that names the invalid item and the right form
 */
export function parseFetchResolve(text: string): Map<string, FixedAddress> {
  const found = new Map<string, FixedAddress>();
  for (const item of itemsOf(text)) {
    const [from = '', to = '', ...rest] = item.split('=');
    const name = endpointOf(from.trim());
    const target = endpointOf(to.trim());
    if (!name || !target || rest.length > 0) {
      throw new Error(`"${item}" must look like example.com:80=127.0.0.1:8081`);
    }
    const host = URL.parse(`http://${name.host}`)?.hostname ?? '';
    if (!isName(host)) {
      throw new Error(`"${item}": the left side must be a host name, such as example.com:80`);
    }
    const address = unbracketed(target.host);
    if (isIP(address) === 0 || address.includes('%')) {
      throw new Error(`"${item}": the right side must be an address, such as 127.0.0.1:8081`);
    }
    const key = `${host}:${name.port}`;
    if (found.has(key)) throw new Error(`"${item}": ${key} is given twice`);
    found.set(key, { address, port: target.port });
  }
  return found;
}

/** Hosts of an intranet may have a single label, unlike sites. */
function isName(host: string): boolean {
  const site = siteOfHost(host);
  return site.kind === 'site' || site.reason === 'single_label' || site.reason === 'public_suffix';
}

function itemsOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function parseRange(item: string): Cidr {
  const [address = '', prefix, ...rest] = item.split('/');
  const version = isIP(address);
  const width = version === 4 ? 32 : 128;
  const bits = prefix === undefined ? width : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
  if (version === 0 || address.includes('%') || rest.length > 0 || !(bits <= width)) {
    throw new Error(`"${item}" must be an address or a range, such as 10.0.0.0/8 or fd00::/8`);
  }
  const network = ipaddr.parse(address);
  const kind = version === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = kind.networkAddressFromCIDR(`${address}/${bits}`).toString();
  if (first !== network.toString()) {
    throw new Error(`"${item}" has bits beyond its prefix; did you mean ${first}/${bits}?`);
  }
  return { text: item, network, bits };
}

/** Parses `host:port`, where the host may be in brackets; null for anything else. */
function endpointOf(text: string): { host: string; port: number } | null {
  const match = /^(\[[^\]]+\]|[^:\s/@]+):(\d{1,5})$/.exec(text);
  const [, host = '', digits = ''] = match ?? [];
  const port = Number(digits);
  return match && port >= 1 && port <= PORT_MAX ? { host, port } : null;
}
