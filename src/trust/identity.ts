import { isIP } from 'node:net';
import { getDomain, parse } from 'tldts';

/**
 * The sections of the Public Suffix List by which a name is read: `icann` for that of the registries alone, `private`
 * for both. By `icann`, `me.github.io` is a host of the site `github.io`; by `private`, it is a separate site.
 */
export const suffixReadings = ['icann', 'private'] as const;
export type SuffixReading = (typeof suffixReadings)[number];

/** A site is a registrable domain. Private suffixes count: `me.github.io` is a separate site. */
export interface Site {
  kind: 'site';
  /** In ASCII (punycode), lower case, without a final dot. */
  domain: string;
  /** Its registrable domain by the reading `icann`, if that differs: `github.io` for `me.github.io`. */
  platform?: string;
}

/** An input without a site; `message` says what to send instead. */
export interface SiteRefusal {
  kind: 'refusal';
  reason: SiteRefusalReason;
  message: string;
}

const ADDRESS_CHARACTERS_MAX = 2_048;
/** Characters of a host name (RFC 1035: 255 octets on the wire). */
const HOST_CHARACTERS_MAX = 253;
/** Characters of one label of a host name (RFC 1035). */
const LABEL_CHARACTERS_MAX = 63;

const messages = {
  empty: 'give a web address such as example.com',
  too_long: `give a web address of at most ${ADDRESS_CHARACTERS_MAX} characters`,
  scheme: 'give an http or https address, or only a domain',
  not_an_address: 'give a web address such as https://example.com/',
  ip_address: 'give a domain instead of an IP address',
  public_suffix: 'give a domain below the public suffix, such as example.com instead of com',
  single_label: 'give a full domain such as example.com',
  bad_host: 'give a domain of letters, digits and hyphens, at most 63 characters between two dots',
};
export type SiteRefusalReason = keyof typeof messages;

const DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * The site that an address belongs to. The address may lack a scheme, be in upper or lower case, begin with `www.` and
 * be in Cyrillic or punycode; path, port and credentials are ignored.
 * @param reading with `icann`, a platform such as `github.io` is a site too
 */
export function siteOf(input: string, reading: SuffixReading = 'private'): Site | SiteRefusal {
  const host = hostOf(input);
  return typeof host === 'string' ? siteOfHost(host, reading) : host;
}

/** The host of an address as the URL parser returns it: in ASCII and lower case. See `siteOf`. */
export function hostOf(input: string): string | SiteRefusal {
  const text = input.trim();
  if (text === '') return refuse('empty');
  if (text.length > ADDRESS_CHARACTERS_MAX) return refuse('too_long');
  const address = withScheme(text);
  if (address === null) return refuse('scheme');
  return URL.parse(address)?.hostname ?? refuse('not_an_address');
}

/**
 * The same for a host as the URL parser returns it: every spelling of an IPv4 address (decimal, octal, hexadecimal,
 * circled digits) has become four decimal numbers.
 */
export function siteOfHost(
  hostname: string,
  reading: SuffixReading = 'private',
): Site | SiteRefusal {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[') || isIP(host) !== 0) return refuse('ip_address');
  if (host === '') return refuse('not_an_address');
  if (!isHost(host)) return refuse('bad_host');
  if (!host.includes('.')) {
    return refuse(parse(host).isIcann === true ? 'public_suffix' : 'single_label');
  }
  const read = parse(host, { allowPrivateDomains: true });
  const platform = read.isPrivate === true ? registrableDomain(host, 'icann') : null;
  const isSuffix = host === read.publicSuffix;
  if (isSuffix && (reading === 'private' || platform === null)) return refuse('public_suffix');
  const domain = isSuffix ? platform : read.domain;
  if (domain === null || !DOMAIN.test(domain)) return refuse('bad_host');
  return platform === null || platform === domain
    ? { kind: 'site', domain }
    : { kind: 'site', domain, platform };
}

/** The registrable domain of a host in ASCII; null for a public suffix and for anything that is not a host. */
export function registrableDomain(host: string, reading: SuffixReading): string | null {
  return getDomain(host, { allowPrivateDomains: reading === 'private' });
}

/** The registrable domain of a URL's host, or null. */
export function domainOfHost(hostname: string): string | null {
  const site = siteOfHost(hostname);
  return site.kind === 'site' ? site.domain : null;
}

/** Whether a URL's host belongs to a site; the site may be a platform, whose other hosts are separate sites. */
export function isOfSite(hostname: string, domain: string): boolean {
  if (domainOfHost(hostname) === domain) return true;
  return hostname === domain || hostname === `www.${domain}`;
}

/** Null for a scheme that is neither http nor https. */
function withScheme(text: string): string | null {
  if (/^https?:/i.test(text)) return text;
  if (/^[a-z][a-z0-9+.-]*:[/\\]{2}/i.test(text)) return null;
  // `example.com:8080` has a port, `mailto:me@example.com` a scheme.
  if (/^(?:mailto|javascript|data|tel|about|blob|file|urn|view-source):/i.test(text)) return null;
  return `http://${text.replace(/^[/\\]{2}/, '')}`;
}

function isHost(host: string): boolean {
  return (
    host.length <= HOST_CHARACTERS_MAX &&
    HOST.test(host) &&
    host.split('.').every((label) => label.length <= LABEL_CHARACTERS_MAX)
  );
}

function refuse(reason: SiteRefusalReason): SiteRefusal {
  return { kind: 'refusal', reason, message: messages[reason] };
}
