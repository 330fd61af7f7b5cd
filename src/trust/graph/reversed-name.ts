import { domainToASCII } from 'node:url';
import { registrableDomain, type SuffixReading } from '../identity.ts';

/** Bytes of the longest DNS name. */
export const NAME_BYTES_MAX = 253;

const reversedName = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/** `shop.example.com` as `com.example.shop`, and back. */
export function reverseName(name: string): string {
  return name.split('.').toReversed().join('.');
}

/**
 * The normal form of a reversed name: lower case, punycode, without the host's leading `www.`. Undefined if it is not a
 * domain name.
 */
export function normalReversedName(reversed: string): string | undefined {
  const ascii = domainToASCII(reverseName(reversed));
  const host = ascii.startsWith('www.') ? withoutWww(ascii) : ascii;
  const normal = reverseName(host);
  return normal.length <= NAME_BYTES_MAX && reversedName.test(normal) ? normal : undefined;
}

/** A name in normal form, reduced to its registrable domain; a public suffix stays as it is. */
export function foldedReversedName(reversed: string, reading: SuffixReading): string {
  const domain = registrableDomain(reverseName(reversed), reading);
  return domain === null ? reversed : reverseName(domain);
}

/** Only a host's `www` is dropped: `www.co.uk` is itself a registrable domain. */
function withoutWww(host: string): string {
  const domain = registrableDomain(host, 'private');
  return domain === null || domain === host ? host : host.slice('www.'.length);
}
