import { lookup } from 'node:dns/promises';

/** Every address of a host name. Tests hand in their own. */
export type Resolver = (host: string) => Promise<readonly string[]>;

/**
 * The machine's own name service, with its hosts file.
 *
 * Not `lookup` of `node:dns`: that holds a thread for as long as a name's servers are silent, 10 s and more, and the
 * threads are as few as the cores. Passwords, files and decompression wait for the same ones, so two names of somebody
 * whose servers never answer would stop every login. The other way holds no thread.
 */
export const systemResolver: Resolver = async (host) => {
  const found = await Bun.dns.lookup(host, { backend: 'c-ares' }).catch((error: unknown) => {
    // It reads once which name server the machine has: one that began before the network was up asks nobody. Its own
    // server refuses at once, whatever the name, so asking in the other way does not take long either.
    if ((error as { code?: unknown }).code === 'DNS_ECONNREFUSED')
      return lookup(host, { all: true });
    throw error;
  });
  return found.map(({ address }) => address);
};
