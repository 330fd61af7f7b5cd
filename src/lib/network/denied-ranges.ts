/**
 * Where an address that others gave never leads, unless the operator opens it: everything in IANA's
 * special-purpose address registries that is not the public internet, and everything outside them that
 * is not handed out as global unicast. The one table of it; each line says what lives there.
 */
export const deniedRanges: readonly (readonly [range: string, what: string])[] = [
  // IPv4: https://www.iana.org/assignments/iana-ipv4-special-registry
  ['0.0.0.0/8', 'unspecified and "this network" (RFC 791); 0.0.0.0 reaches the machine itself'],
  ['10.0.0.0/8', 'private (RFC 1918)'],
  ['100.64.0.0/10', 'shared by carrier-grade NAT (RFC 6598); some clouds keep metadata here'],
  ['127.0.0.0/8', 'loopback (RFC 1122)'],
  ['169.254.0.0/16', 'link-local (RFC 3927); the metadata service of most clouds'],
  ['172.16.0.0/12', 'private (RFC 1918)'],
  ['192.0.0.0/24', 'protocol assignments (RFC 6890): DS-Lite, NAT64 discovery; a cloud metadata'],
  ['192.0.2.0/24', 'documentation (RFC 5737)'],
  ['192.31.196.0/24', 'AS112 (RFC 7535)'],
  ['192.52.193.0/24', 'automatic multicast tunnelling (RFC 7450)'],
  ['192.88.99.0/24', '6to4 relays, deprecated (RFC 7526)'],
  ['192.168.0.0/16', 'private (RFC 1918)'],
  ['192.175.48.0/24', 'AS112 (RFC 7534)'],
  ['198.18.0.0/15', 'benchmarking (RFC 2544)'],
  ['198.51.100.0/24', 'documentation (RFC 5737)'],
  ['203.0.113.0/24', 'documentation (RFC 5737)'],
  ['224.0.0.0/4', 'multicast (RFC 5771)'],
  ['240.0.0.0/4', 'reserved (RFC 1112), with the broadcast address 255.255.255.255'],
  // Not in the registry, but the wire server and metadata of a large cloud, reachable from its machines.
  ['168.63.129.16/32', 'the platform service of Azure'],

  // IPv6: https://www.iana.org/assignments/iana-ipv6-special-registry
  ['::/128', 'unspecified (RFC 4291)'],
  ['::1/128', 'loopback (RFC 4291)'],
  ['::/96', 'IPv4-compatible, deprecated (RFC 4291): carries any IPv4 address'],
  ['::ffff:0:0/96', 'IPv4-mapped (RFC 4291): is an IPv4 address'],
  ['::ffff:0:0:0/96', 'IPv4-translated (RFC 6145): carries any IPv4 address'],
  ['64:ff9b::/96', 'NAT64 (RFC 6052): carries any IPv4 address'],
  ['64:ff9b:1::/48', 'NAT64 for local use (RFC 8215)'],
  ['100::/64', 'discard (RFC 6666)'],
  ['100:0:0:1::/64', 'dummy prefix (RFC 9780)'],
  ['2001::/32', 'Teredo (RFC 4380): carries any IPv4 address'],
  ['2001:2::/48', 'benchmarking (RFC 5180)'],
  ['2001:3::/32', 'automatic multicast tunnelling (RFC 7450)'],
  ['2001:4:112::/48', 'AS112 (RFC 7535)'],
  ['2001:10::/28', 'ORCHID, deprecated (RFC 4843)'],
  ['2001:20::/28', 'ORCHIDv2 (RFC 7343)'],
  ['2001:30::/28', 'drone remote identification (RFC 9374)'],
  ['2001::/23', 'the rest of the protocol assignments (RFC 2928)'],
  ['2001:db8::/32', 'documentation (RFC 3849)'],
  ['2002::/16', '6to4 (RFC 3056): carries any IPv4 address'],
  ['2620:4f:8000::/48', 'AS112 (RFC 7534)'],
  ['3ffe::/16', '6bone, returned (RFC 3701)'],
  ['3fff::/20', 'documentation (RFC 9637)'],
  ['5f00::/16', 'segment routing (RFC 9602)'],
  ['fc00::/7', 'unique local (RFC 4193); the metadata service of a large cloud, fd00:ec2::254'],
  ['fe80::/10', 'link-local (RFC 4291)'],
  ['fec0::/10', 'site-local, deprecated (RFC 3879)'],
  ['ff00::/8', 'multicast (RFC 4291)'],
  // Global unicast is 2000::/3 alone; the rest of the space is not handed out to anyone.
  ['::/3', 'outside global unicast (RFC 4291)'],
  ['4000::/2', 'outside global unicast (RFC 4291)'],
  ['8000::/1', 'outside global unicast (RFC 4291)'],
];
