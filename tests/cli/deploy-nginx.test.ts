/** The lines of nginx that the documents show, in a real nginx before a gateway; only where it is installed. */
import { describe, expect, test } from 'bun:test';
import { nginxIsHere, startNginx } from '../torture/support/nginx.ts';
import { logIn, openInstallation, printedPassword } from './installation.ts';

const documents = ['docs/operating.md', 'docs/scale.md'] as const;

/** Of the compatible interfaces. */
const BODY_MAX_BYTES = 32 * 1024 * 1024;

/** Paths that nginx or the server could read as `/admin/users/`. */
const DISGUISED = [
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

/** Sends the target as it is, which `fetch` would change. @returns the status, 0 if the connection ends without one */
async function statusOf(server: string, target: string, token: string): Promise<number> {
  const { hostname, port } = new URL(server);
  const answer = Promise.withResolvers<string>();
  let text = '';
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        const head = [`POST ${target} HTTP/1.1`, `Host: ${hostname}`, 'Connection: close'];
        head.push(`Authorization: Bearer ${token}`, 'Content-Length: 0');
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
      },
      data: (_, chunk) => void (text += chunk.toString()),
      close: () => answer.resolve(text),
    },
  });
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await answer.promise)?.[1] ?? 0);
}

describe.if(nginxIsHere)('nginx', () => {
  test.each(documents)('as in %s keeps admin operations to some addresses', async (document) => {
    await using installation = await openInstallation();
    const server = await installation.serve();
    const token = await logIn(server.url, 'admin', printedPassword(server.out()));
    const ports = [Number(new URL(server.url).port)];
    await using closed = await startNginx(ports, { document, admins: '10.0.0.0/8' });
    const passed: string[] = [];
    for (const target of DISGUISED) {
      if ((await statusOf(closed.url, target, token)) === 200) passed.push(target);
    }
    expect(passed).toEqual([]);
    expect(await statusOf(closed.url, '/account/', token)).toBe(200);
    await using open = await startNginx(ports, { document });
    expect(await statusOf(open.url, '/admin/users/', token)).toBe(200);
  });

  test.each(documents)('as in %s lets the largest request pass', async (document) => {
    const sizes: number[] = [];
    using node = Bun.serve({
      port: 0,
      async fetch(request) {
        sizes.push((await request.bytes()).length);
        return new Response();
      },
    });
    await using nginx = await startNginx([node.port ?? 0], { document });
    const body = new Uint8Array(BODY_MAX_BYTES);
    await fetch(`${nginx.url}/v1/responses`, { method: 'POST', body });
    expect(sizes).toContain(BODY_MAX_BYTES);
  });
});
