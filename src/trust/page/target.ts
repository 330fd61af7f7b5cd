import { portOf, type PinnedTarget } from '../../lib/network/pinned-request.ts';
import { hostOf, vetHost, type HostRules } from '../../lib/network/vetted-host.ts';
import { FetchFailure } from './failures.ts';
import type { FixedAddress, FixedAddresses } from './settings.ts';

export interface TargetFinderOptions extends HostRules {
  fixed: FixedAddresses;
  ports: readonly number[];
  addressesMax: number;
}

/** Turns a URL into vetted addresses. */
export class TargetFinder {
  readonly #options: TargetFinderOptions;
  readonly #fixedHosts: ReadonlySet<string>;

  constructor(options: TargetFinderOptions) {
    this.#options = options;
    this.#fixedHosts = new Set(
      [...options.fixed.keys()].map((key) => key.slice(0, key.lastIndexOf(':'))),
    );
  }

  /** @throws FetchFailure `scheme`, `dns`, `connect`, `denied_address` or `port` */
  async find(url: URL): Promise<PinnedTarget> {
    const { guard, ports, addressesMax } = this.#options;
    const asked = portOf(url);
    if (asked === undefined) throw new FetchFailure('scheme', url.protocol);
    const fixed = this.#fixedAt(hostOf(url), asked);
    const resolver = async (host: string) => (fixed ? [fixed.address] : this.#resolve(host));
    const found = await vetHost(url, { guard, resolver });
    if (!found.permitted) {
      if (found.reason === 'denied') throw new FetchFailure('denied_address', found.why);
      throw new FetchFailure('dns', `${url.hostname}: ${found.why}`);
    }
    const port = fixed?.port ?? asked;
    if (!found.anyPort && !ports.includes(port)) throw new FetchFailure('port', String(port));
    return { addresses: found.addresses.slice(0, addressesMax), port };
  }

  /** Where the settings say that a host is found. They name no addresses, only hosts. */
  #fixedAt(host: string, port: number): FixedAddress | undefined {
    const fixed = this.#options.fixed.get(`${host}:${port}`);
    if (fixed || !this.#fixedHosts.has(host)) return fixed;
    throw new FetchFailure('connect', `${host} has no address for port ${port} in the settings`);
  }

  async #resolve(host: string): Promise<readonly string[]> {
    try {
      return await this.#options.resolver(host);
    } catch (cause) {
      throw new FetchFailure('dns', host, { cause });
    }
  }
}
