import { isIP } from 'node:net';
import type { AddressGuard } from './addresses.ts';
import type { Resolver } from './resolver.ts';

/** How the host of a URL is resolved, and which addresses may be connected to. */
export interface HostRules {
  guard: AddressGuard;
  resolver: Resolver;
}

/** The addresses of a permitted host, or why it is refused. */
export type VettedHost =
  | {
      permitted: true;
      /** At least one. Connect to these: a second look-up of the name could return others. */
      addresses: readonly string[];
      /** The operator allowed each of them explicitly, so that any port may be used. */
      anyPort: boolean;
    }
  | {
      permitted: false;
      reason: 'denied' | 'no_address';
      /** For logs. */
      why: string;
    };

/**
 * Resolves the host of a URL once and vets all its addresses; an address in the URL itself is vetted directly.
 * @throws what the resolver throws
 */
export async function vetHost(url: URL, { guard, resolver }: HostRules): Promise<VettedHost> {
  const addresses = [...(await addressesOf(url, resolver))];
  if (addresses.length === 0) return { permitted: false, reason: 'no_address', why: 'no address' };
  const verdicts = addresses.map((address) => guard.vet(address));
  // A name that also points to a private address is an attack or a mistake: it is refused as a whole.
  const denied = verdicts.find(({ permitted }) => !permitted);
  if (denied) return { permitted: false, reason: 'denied', why: denied.why };
  return { permitted: true, addresses, anyPort: verdicts.every(({ anyPort }) => anyPort) };
}

/** The host of a URL for name services: without the final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

/** A host for sockets: an IPv6 address without the brackets that it has in URLs. */
export function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

async function addressesOf(url: URL, resolver: Resolver): Promise<readonly string[]> {
  const host = hostOf(url);
  const literal = unbracketed(host);
  return isIP(literal) === 0 ? resolver(host) : [literal];
}
