/**
 * deploy/nginx.conf in a real nginx in front of a gateway; skipped if it is not installed.
 */
import { describe, expect, test } from 'bun:test';
import { nginxIsHere, startNginx } from '../torture/support/nginx.ts';
import { DISGUISED, statusOf } from '../support/raw-target.ts';
import { logIn, openInstallation, printedPassword } from './installation.ts';

/** The limit of the compatible interfaces. */
const BODY_MAX_BYTES = 32 * 1024 * 1024;

describe.if(nginxIsHere)('deploy/nginx.conf', () => {
  test('keeps admin operations to some addresses', async () => {
    await using installation = await openInstallation();
    const server = await installation.serve();
    const token = await logIn(server.url, 'admin', printedPassword(server.out()));
    const ports = [Number(new URL(server.url).port)];
    await using closed = await startNginx(ports, { admins: '10.0.0.0/8' });
    const passed: string[] = [];
    for (const target of DISGUISED) {
      if ((await statusOf(closed.url, target, token)) === 200) passed.push(target);
    }
    expect(passed).toEqual([]);
    expect(await statusOf(closed.url, '/account/', token)).toBe(200);
    await using open = await startNginx(ports);
    expect(await statusOf(open.url, '/admin/users/', token)).toBe(200);
  });

  test('lets the largest request pass', async () => {
    const sizes: number[] = [];
    using node = Bun.serve({
      port: 0,
      async fetch(request) {
        sizes.push((await request.bytes()).length);
        return new Response();
      },
    });
    await using nginx = await startNginx([node.port ?? 0]);
    const body = new Uint8Array(BODY_MAX_BYTES);
    await fetch(`${nginx.url}/v1/responses`, { method: 'POST', body });
    expect(sizes).toContain(BODY_MAX_BYTES);
  });
});
