/** SIGTERM while the database hangs: the server stops, and nothing is lost. */
import { describe, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCore } from '../../src/core.ts';
import { readConfig } from '../../src/config/index.ts';
import { silentLog } from '../../src/lib/log.ts';
import { serve } from '../../src/serve.ts';
import { dialects } from '../support/databases.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { catalogueOf, TEXT_MODEL } from '../support/world.ts';
import { launcher, logIn, openInstallation, post, printedPassword } from './installation.ts';
import { holdMigrations, holdWrites, openProxy } from './stuck-database.ts';

function freePort(): string {
  using listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  return String(listener.port);
}

/** Repeats a request until a response has this status. */
async function until(status: number, url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.status === status) return response;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

for (const dialect of dialects) {
  describe(`${dialect}: a server that waits for its turn to migrate`, () => {
    test('is alive, not ready, refuses requests, and stops at once on request', async () => {
      await using installation = await openInstallation(dialect);
      await installation.json(['user', 'add', 'ivan']);
      const port = freePort();
      const url = `http://127.0.0.1:${port}`;
      {
        await using _ = await holdMigrations(installation);
        const child = Bun.spawn([...launcher, 'serve'], {
          env: { ...installation.env, ZASTAVA_PORT: port },
          cwd: installation.dir,
          stdout: 'pipe',
          stderr: 'pipe',
        });
        expect(await (await until(200, `${url}/healthz`)).json()).toEqual({ status: 'ok' });
        const ready = await fetch(`${url}/readyz`);
        expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
        expect(await post(url, '/auth/login/', { login: 'ivan', password: 'x' })).toMatchObject({
          status: 503,
          body: { status: 'error', error: { code: 'overloaded' } },
        });
        child.kill('SIGTERM');
        const said = [new Response(child.stdout).text(), new Response(child.stderr).text()];
        expect([await child.exited, ...(await Promise.all(said))]).toEqual([0, '', '']);
      }
      // The next start is still the first one.
      expect(printedPassword((await installation.serve()).out())).not.toBe('');
    });
  });

  describe(`${dialect}: a server whose database stops answering`, () => {
    test('obeys SIGTERM after draining, reports what is open, and the next start voids it', async () => {
      await using provider = await ScriptedProvider.start();
      await using installation = await openInstallation(dialect);
      const file = join(installation.dir, 'catalogue.yaml');
      await writeFile(file, catalogueOf(provider));
      const direct = installation.env['ZASTAVA_DATABASE_URL'];
      using proxy = direct === undefined ? undefined : await openProxy(direct);
      const { url, out, signal, exited } = await installation.serve({
        ZASTAVA_CATALOGUE: file,
        ZASTAVA_DRAIN_SECONDS: '1',
        ...(proxy && { ZASTAVA_DATABASE_URL: proxy.url }),
      });
      const token = await logIn(url, 'admin', printedPassword(out()));
      const room = await post(url, '/ai/room/', {}, token);
      await provider.script('hold');
      const message = { room_id: room.body.data['room_id'], ai: TEXT_MODEL, message: 'Hello' };
      const sent = post(url, '/ai/send/', message, token).catch(() => 'cut');
      await provider.held(1);
      {
        await using _ = proxy ? undefined : holdWrites(installation.dir);
        proxy?.silence();
        if (proxy) await until(503, `${url}/readyz`);
        signal('SIGTERM');
        const { code, err } = await exited;
        expect(code).toBe(0);
        expect(err).toMatch(/"sends":1,.*the database does not answer/);
        expect(await sent).toBe('cut');
      }
      const left = await installation.json<{ held: number }>(['user', 'show', 'admin']);
      expect(left.held).toBeGreaterThan(0);
      await installation.serve();
      expect(await installation.json<object>(['user', 'show', 'admin'])).toMatchObject({
        balance: 1000,
        held: 0,
      });
    });
  });
}

test('before it makes the first admin, a start reports that it must not be interrupted', async () => {
  await using installation = await openInstallation();
  const config = readConfig(installation.env);
  const admins: boolean[] = [];
  for (const start of ['first', 'second']) {
    const core = await openCore(config, { asServer: true, overrides: { log: silentLog } });
    const lines: string[] = [];
    const server = await serve(config, {
      open: () => Promise.resolve(core),
      onFirstAdmin: () => void lines.push(start),
    });
    admins.push(server.firstAdmin !== undefined);
    expect(lines).toEqual(start === 'first' ? ['first'] : []);
    expect(await server.stop()).toBe(true);
  }
  expect(admins).toEqual([true, false]);
});
