import { isIP } from 'node:net';
import type { AddressGuard } from './addresses.ts';
import type { Resolver } from './resolver.ts';

/** How the host of a URL becomes addresses, and which of them may be connected to. */
export interface HostRules {
  guard: AddressGuard;
  resolver: Resolver;
}

/** Where a host may be connected to, or why it may not. */
export type VettedHost =
  | {
      permitted: true;
      /** At least one. Connect to these: asked again, the name could lead elsewhere. */
      addresses: readonly string[];
      /** The operator allowed all of them by name, so that any port may be reached. */
      anyPort: boolean;
    }
  | {
      permitted: false;
      reason: 'denied' | 'no_address';
      /** For logs. */
      why: string;
    };

/**
 * Asks once where the host of a URL lies, and vets all that it is told. An address that stands in the URL itself
 * is vetted as it stands.
 * @throws what the resolver throws
 */
export async function vetHost(url: URL, { guard, resolver }: HostRules): Promise<VettedHost> {
  const addresses = [...(await addressesOf(url, resolver))];
  if (addresses.length === 0) return { permitted: false, reason: 'no_address', why: 'no address' };
  const verdicts = addresses.map((address) => guard.vet(address));
  // All or none: a name that also points inside is an attack or a mistake, and either is refused.
  const denied = verdicts.find(({ permitted }) => !permitted);
  if (denied) return { permitted: false, reason: 'denied', why: denied.why };
  return { permitted: true, addresses, anyPort: verdicts.every(({ anyPort }) => anyPort) };
}

/** The host of a URL as name services know it: without the final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

/** The host of a URL as sockets take it: an IPv6 address without its brackets. */
export function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

async function addressesOf(url: URL, resolver: Resolver): Promise<readonly string[]> {
  const host = hostOf(url);
  const literal = unbracketed(host);
  return isIP(literal) === 0 ? resolver(host) : [literal];
}
