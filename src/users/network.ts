import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What counts as one place on the network: an IPv4 address, or the /64 of an IPv6 address, since one subscriber has at
 * least a whole /64 to choose addresses from. IPv4 in IPv6 (`::ffff:192.0.2.1`) is IPv4. Any other text is a place of
 * its own.
 */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) !== 6) return bare;
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
