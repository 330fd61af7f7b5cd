import { portOf, type PinnedTarget } from '../../lib/network/pinned-request.ts';
import { hostOf, vetHost, type HostRules } from '../../lib/network/vetted-host.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { FetchFailure } from './failures.ts';
import type { FetchLimits } from './limits.ts';
import type { FixedAddress, FixedAddresses } from './settings.ts';

export interface TargetFinderOptions extends HostRules {
  fixed: FixedAddresses;
  limits: FetchLimits;
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

  /**
   * Stops waiting after `connectTimeoutMs`: name servers may take longer.
   * @throws FetchFailure `scheme`, `dns`, `connect`, `denied_address`, `port` or `connect_timeout`, or the signal's
   * reason
   */
  async find(url: URL, signal: AbortSignal): Promise<PinnedTarget> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const onLate = () => reject(new FetchFailure('connect_timeout', 'finding the address'));
    const timer = setTimeout(onLate, this.#options.limits.connectTimeoutMs);
    try {
      return await untilAborted(Promise.race([this.#find(url), late]), signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async #find(url: URL): Promise<PinnedTarget> {
    const { guard, limits } = this.#options;
    const requested = portOf(url);
    if (requested === undefined) throw new FetchFailure('scheme', url.protocol);
    const fixed = this.#fixedAt(hostOf(url), requested);
    const resolver = async (host: string) =>
      fixed ? [fixed.address] : this.#options.resolver(host);
    const found = await vetHost(url, { guard, resolver }).catch((cause: unknown) => {
      throw new FetchFailure('dns', url.hostname, { cause });
    });
    if (!found.permitted) {
      if (found.reason === 'denied') throw new FetchFailure('denied_address', found.why);
      throw new FetchFailure('dns', `${url.hostname}: ${found.why}`);
    }
    const port = fixed?.port ?? requested;
    if (!found.anyPort && !limits.ports.includes(port)) {
      throw new FetchFailure('port', String(port));
    }
    return { addresses: found.addresses.slice(0, limits.addressesMax), port };
  }

  /** The address that ZASTAVA_FETCH_RESOLVE gives. A host named there is found only at the ports named there. */
  #fixedAt(host: string, port: number): FixedAddress | undefined {
    const fixed = this.#options.fixed.get(`${host}:${port}`);
    if (fixed || !this.#fixedHosts.has(host)) return fixed;
    throw new FetchFailure('connect', `${host} has no address for port ${port} in the settings`);
  }
}
