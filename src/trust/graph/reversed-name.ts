import { domainToASCII } from 'node:url';
import { getDomain } from 'tldts';

/** Bytes: the longest name that DNS knows. */
export const NAME_BYTES_MAX = 253;

const reversedName = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/** `shop.example.com` as `com.example.shop`, and back. */
export function reverseName(name: string): string {
  return name.split('.').toReversed().join('.');
}

/**
 * The normal form of a reversed name as a graph file may spell it: lower case, punycode, without a leading
 * `www.` of the host. Undefined when it is no name of a domain.
 */
export function normalReversedName(reversed: string): string | undefined {
  const ascii = domainToASCII(reverseName(reversed));
  const host = ascii.startsWith('www.') ? withoutWww(ascii) : ascii;
  const normal = reverseName(host);
  return normal.length <= NAME_BYTES_MAX && reversedName.test(normal) ? normal : undefined;
}

/** `www.co.uk` is a registrable domain of its own, and `co.uk` is none: only a host's `www` is dropped. */
function withoutWww(host: string): string {
  const domain = getDomain(host, { allowPrivateDomains: true });
  return domain === null || domain === host ? host : host.slice('www.'.length);
}
