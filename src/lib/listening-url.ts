/** Bun's other name for all addresses; it is not resolved. */
export const ALL_ADDRESSES = '*';

/** Names for "all addresses", each with an address that a client on this machine can use. */
const reachable: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  [ALL_ADDRESSES, '127.0.0.1'],
  ['::', '::1'],
]);

/** The address as a URL without a trailing slash. */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The same for a client on this machine. */
export function reachableUrl(host: string, port: number): string {
  return urlOf(reachable.get(host) ?? host, port);
}
