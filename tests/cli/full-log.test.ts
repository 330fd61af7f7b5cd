/** The disk of the log is full: the start, logins, sends and the stop still work. */
import { describe, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dialects } from '../support/databases.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { catalogueOf, TEXT_MODEL } from '../support/world.ts';
import { launcher, logIn, openInstallation, post, printedPassword } from './installation.ts';

const toFullDisk = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh', ...launcher];

for (const dialect of dialects) {
  describe(`${dialect}: a server whose standard error is a full disk`, () => {
    test('starts, logs in, refuses, fails a send without an open hold, and stops with 0', async () => {
      await using provider = await ScriptedProvider.start();
      await using installation = await openInstallation(dialect, toFullDisk);
      const file = join(installation.dir, 'catalogue.yaml');
      await writeFile(file, catalogueOf(provider));
      const env = { ZASTAVA_CATALOGUE: file, ZASTAVA_LOG_LEVEL: 'debug' };
      const { url, out, signal, exited } = await installation.serve(env);
      const token = await logIn(url, 'admin', printedPassword(out()));
      expect(await post(url, '/account/', {}, 'forged')).toMatchObject({
        status: 401,
        body: { error: { code: 'invalid_token' } },
      });
      const room = await post(url, '/ai/room/', {}, token);
      await provider.script('500');
      const message = { room_id: room.body.data['room_id'], ai: TEXT_MODEL, message: 'Hello' };
      expect(await post(url, '/ai/send/', message, token)).toMatchObject({
        status: 502,
        body: { status: 'error', error: { code: 'provider_error' } },
      });
      const account = await post(url, '/account/', {}, token);
      expect(account.body.data).toMatchObject({ balance: 1000, held: 0 });
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(Number(/^zastava_log_lines_lost (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
      signal('SIGTERM');
      expect((await exited).code).toBe(0);
    });
  });
}
