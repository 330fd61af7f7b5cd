import { lookup } from 'node:dns/promises';

export type Resolver = (host: string) => Promise<readonly string[]>;

/**
 * The machine's own name service, with its hosts file.
 *
 * `lookup` of `node:dns` would occupy a thread while a name's servers are silent, for 10 s or more. There are only as
 * many threads as cores, and passwords, files and decompression need them too, so two names with silent servers could
 * block every login. c-ares occupies no thread.
 */
export const systemResolver: Resolver = async (host) => {
  const found = await Bun.dns.lookup(host, { backend: 'c-ares' }).catch((error: unknown) => {
    // c-ares reads the machine's name servers only once. If that happened before the network was up, it asks this
    // machine, which refuses at once; then `lookup` does not take long either.
    if ((error as { code?: unknown }).code === 'DNS_ECONNREFUSED')
      return lookup(host, { all: true });
    throw error;
  });
  return found.map(({ address }) => address);
};
