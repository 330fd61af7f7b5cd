import { isIP } from 'node:net';
import type { AddressGuard } from '../../lib/network/addresses.ts';
import type { Resolver } from '../../lib/network/resolver.ts';
import { FetchFailure } from './failures.ts';
import type { FixedAddresses } from './settings.ts';

/** Where a request goes: addresses that were vetted, and nothing else is connected to. */
export interface Target {
  addresses: readonly string[];
  port: number;
}

export interface TargetFinderOptions {
  guard: AddressGuard;
  fixed: FixedAddresses;
  resolver: Resolver;
  ports: readonly number[];
  addressesMax: number;
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

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
  async find(url: URL): Promise<Target> {
    const found = await this.#locate(url);
    if (found.addresses.length === 0) throw new FetchFailure('dns', `${url.hostname}: no address`);
    let anyPort = true;
    // All or none: a name that also points inside is an attack or a mistake, and either is refused.
    for (const address of found.addresses) {
      const verdict = this.#options.guard.vet(address);
      if (!verdict.permitted) throw new FetchFailure('denied_address', verdict.why);
      anyPort &&= verdict.anyPort;
    }
    if (!anyPort && !this.#options.ports.includes(found.port)) {
      throw new FetchFailure('port', String(found.port));
    }
    return { addresses: found.addresses.slice(0, this.#options.addressesMax), port: found.port };
  }

  async #locate(url: URL): Promise<Target> {
    const standard = DEFAULT_PORTS[url.protocol];
    if (standard === undefined) throw new FetchFailure('scheme', url.protocol);
    const port = url.port === '' ? standard : Number(url.port);
    const host = url.hostname.replace(/\.$/, '');
    const literal = host.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal) !== 0) return { addresses: [literal], port };
    const fixed = this.#options.fixed.get(`${host}:${port}`);
    if (fixed) return { addresses: [fixed.address], port: fixed.port };
    if (this.#fixedHosts.has(host)) {
      throw new FetchFailure('connect', `${host} has no address for port ${port} in the settings`);
    }
    try {
      return { addresses: await this.#options.resolver(host), port };
    } catch (cause) {
      throw new FetchFailure('dns', host, { cause });
    }
  }
}
