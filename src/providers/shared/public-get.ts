import { Readable } from 'node:stream';
import { AddressGuard } from '../../lib/network/addresses.ts';
import { openPinned, portOf, type PinnedTarget } from '../../lib/network/pinned-request.ts';
import { systemResolver } from '../../lib/network/resolver.ts';
import { vetHost, type HostRules } from '../../lib/network/vetted-host.ts';
import { toAbortSignal, type StopSignal } from '../../lib/stop-signal.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { callsGoThroughProxy } from './http.ts';

/** How names are resolved, and which addresses may be connected to. */
export interface PublicNetwork extends HostRules {
  /** Certificate authorities to trust instead of the well-known ones, PEM. */
  ca?: readonly string[];
}

const internet: PublicNetwork = { guard: new AddressGuard([]), resolver: systemResolver };

/** Another port of a public name may belong to a service that nobody means to publish. */
const HTTPS_PORT = 443;

/** Suffixes that do not exist on the public internet (RFC 6761, 6762, 8375, and common practice). */
const privateSuffixes = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'test', 'invalid'];

/** Whether a URL names a host on the public internet. The addresses of the name are checked by `openPublic`. */
export function isPublicUrl({ protocol, hostname, username, password }: URL): boolean {
  return protocol === 'https:' && username === '' && password === '' && isPublicName(hostname);
}

function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  // `URL` normalises IPv4 to dotted decimals and IPv6 to brackets; the last label of a name contains a letter.
  const lastLabel = name.slice(name.lastIndexOf('.') + 1);
  if (!name.includes('.') || !/[a-z]/i.test(lastLabel)) return false;
  return !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

/**
 * GETs a public https URL. The name is resolved once, all its addresses are vetted, and the connection is made to one
 * of them, at port 443, without credentials; TLS verifies the name. Behind a proxy, the proxy decides.
 * @returns any answer, redirects included
 * @throws Error if there is none, with a message for the log; the signal's reason
 */
export async function openPublic(
  url: URL,
  signal: StopSignal,
  network: PublicNetwork = internet,
): Promise<Response> {
  const headers = { 'accept-encoding': 'identity' };
  if (callsGoThroughProxy()) {
    return fetch(url, { redirect: 'manual', headers, signal: toAbortSignal(signal) });
  }
  const target = await untilAborted(targetOf(url, network), signal);
  const { response, close } = await openPinned(url, target, {
    headers,
    signal,
    ca: network.ca,
    failure: (_fault, detail, cause) => cause ?? new Error(detail),
  });
  const { statusCode: status = 0, headers: answered } = response;
  const kept = {
    'content-type': answered['content-type'] ?? '',
    location: answered.location ?? '',
  };
  if (status !== 200) {
    close();
    return new Response(null, { status: status === 0 ? 502 : status, headers: kept });
  }
  return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, { headers: kept });
}

async function targetOf(url: URL, network: PublicNetwork): Promise<PinnedTarget> {
  const port = portOf(url);
  if (url.protocol !== 'https:' || port === undefined) throw new Error('its address is not https');
  const found = await vetHost(url, network);
  if (found.permitted) {
    if (port === HTTPS_PORT || found.anyPort) return { addresses: found.addresses, port };
    throw new Error(`its port ${port} is not that of https`);
  }
  if (found.reason === 'denied') throw new Error(`its address is not public: ${found.why}`);
  throw new Error('its name has no address');
}
