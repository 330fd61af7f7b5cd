import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The network of an address, by which logins are throttled: an IPv4 address, or the /64 of an IPv6 address, since one
 * subscriber usually has at least a /64. An IPv4 address in IPv6 (`::ffff:192.0.2.1`) counts as IPv4. Any other text is
 * returned unchanged.
 */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) !== 6) return bare;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
