import { lookup } from 'node:dns/promises';

/** Every address of a host name. Tests hand in their own. */
export type Resolver = (host: string) => Promise<readonly string[]>;

/** The machine's own name service, with its hosts file. */
export const systemResolver: Resolver = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};
