/** A command that waits for the lock of SQLite says who holds it. */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { reportWaits } from '../../src/cli/context.ts';
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { launcher, openInstallation } from './installation.ts';
import { holdWrites } from './stuck-database.ts';

test.skipIf(!existsSync('/proc/locks'))(
  'a command names the process that has locked the database, and goes on when it is free',
  async () => {
    await using installation = await openInstallation();
    await installation.json(['user', 'add', 'ivan']);
    const { dir, env } = installation;
    let child;
    {
      await using _ = holdWrites(dir);
      child = Bun.spawn([...launcher, 'user', 'credit', 'ivan', '5', '--reason', 'gift'], {
        env,
        cwd: dir,
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const { value } = await child.stderr.getReader().read();
      expect(new TextDecoder().decode(value)).toMatch(
        new RegExp(`waiting: .*locked.* by process ${process.pid} \\(bun`),
      );
    }
    expect(await child.exited).toBe(0);
    expect(await installation.json(['user', 'show', 'ivan'])).toMatchObject({ balance: 5 });
  },
);

test('a command that gives up on a lock has reported once that it is waiting', async () => {
  const lines: string[] = [];
  const print = (line: string) => Promise.resolve(void lines.push(line));
  const listener = reportWaits(print);
  for (const message of ['locked by process 7', 'locked by process 7', 'locked by process 8']) {
    listener(new DatabaseUnavailableError(message, { reason: 'locked' }));
  }
  listener(new DatabaseUnavailableError('the disk is full', { reason: 'disk_full' }));
  expect(lines).toEqual(['waiting: locked by process 7', 'waiting: locked by process 8']);
});
