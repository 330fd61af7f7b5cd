/** Request targets that can be sent only through a raw socket. */

/** Paths that a proxy or the server could take for `/admin/users/`. */
export const DISGUISED = [
  '/admin/users/',
  '//admin/users/',
  '/./admin/users/',
  '/x/../admin/users/',
  '/x/%2e%2e/admin/users/',
  '/x/.%2E/admin/users/',
  '/%61dmin/users/',
  '/admin%2Fusers/',
  '/x/..%2Fadmin/users/',
  '/x/..%5Cadmin/users/',
  '/x/..\\admin/users/',
  '\\admin\\users\\',
  '/\\admin/users/',
  '/.\\admin/users/',
  '/admin\\users\\',
  '/v1/..\\admin/users/',
  '/ai/send/..\\..\\admin/users/',
  '/x/..;/admin/users/',
  '/x?/../admin/users/',
  '/x#/../admin/users/',
  '/ad\tmin/users/',
  'http://127.0.0.1/admin/users/',
  'http://127.0.0.1/x/..\\admin/users/',
  'http://127.0.0.1\\admin/users/',
];

/**
 * Sends the target unchanged; `fetch` would change it.
 * @param more further header lines
 * @returns the status; 0 if the connection ends without one
 */
export async function statusOf(
  server: string,
  target: string,
  token: string,
  more: readonly string[] = [],
): Promise<number> {
  const { hostname, port } = new URL(server);
  const answer = Promise.withResolvers<string>();
  let text = '';
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        const head = [`POST ${target} HTTP/1.1`, `Host: ${hostname}`, 'Connection: close'];
        head.push(`Authorization: Bearer ${token}`, 'Content-Length: 0', ...more);
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
      },
      data: (_, chunk) => void (text += chunk.toString()),
      close: () => answer.resolve(text),
    },
  });
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await answer.promise)?.[1] ?? 0);
}
