import { isIP, type LookupFunction } from 'node:net';

/**
 * A lookup that knows one answer, for `node:http` and `node:https`: the addresses that were vetted are
 * connected to, and the name is not resolved a second time.
 */
export function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = all;
    if (!first) callback(new Error('no address'), '', 0);
    else if (options.all) callback(null, all);
    else callback(null, first.address, first.family);
  };
}
