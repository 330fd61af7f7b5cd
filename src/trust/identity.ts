import { isIP } from 'node:net';
import { parse } from 'tldts';

/** A site is a registrable domain. Private suffixes count: `me.github.io` is a site of its own. */
export interface Site {
  kind: 'site';
  /** In ASCII (punycode), lower case, without a final dot. */
  domain: string;
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
 * The site that an address belongs to. The address may lack a scheme, be in any case, begin with `www.` and be in
 * Cyrillic or punycode; path, port and credentials are ignored.
 */
export function siteOf(input: string): Site | SiteRefusal {
  const text = input.trim();
  if (text === '') return refuse('empty');
  if (text.length > ADDRESS_CHARACTERS_MAX) return refuse('too_long');
  const address = withScheme(text);
  if (address === null) return refuse('scheme');
  const url = URL.parse(address);
  if (url === null) return refuse('not_an_address');
  return siteOfHost(url.hostname);
}

/**
 * The same for a host as the URL parser returns it: every spelling of an IPv4 address (decimal, octal, hexadecimal,
 * circled digits) has become four decimal numbers.
 */
export function siteOfHost(hostname: string): Site | SiteRefusal {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[') || isIP(host) !== 0) return refuse('ip_address');
  if (host === '') return refuse('not_an_address');
  if (!isHost(host)) return refuse('bad_host');
  if (!host.includes('.')) {
    return refuse(parse(host).isIcann === true ? 'public_suffix' : 'single_label');
  }
  const { domain, publicSuffix } = parse(host, { allowPrivateDomains: true });
  if (host === publicSuffix) return refuse('public_suffix');
  if (domain === null || !DOMAIN.test(domain)) return refuse('bad_host');
  return { kind: 'site', domain };
}

/** The registrable domain of a URL's host, or null. */
export function domainOfHost(hostname: string): string | null {
  const site = siteOfHost(hostname);
  return site.kind === 'site' ? site.domain : null;
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
