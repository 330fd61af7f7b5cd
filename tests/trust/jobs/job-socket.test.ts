/** The socket through which commands reach the jobs of a server. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { askJobs, openJobSocket, TrustJobs } from '../../../src/trust/index.ts';
import { recordingLog, type LogLine } from '../../users/world.ts';

const dir = await mkdtemp(join(tmpdir(), 'zastava-job-socket-'));
afterAll(() => rm(dir, { recursive: true, force: true }));
const program = ['/bin/sh', '-c', 'cat'] as const;
const jobs = () => new TrustJobs({ program, env: {}, clock: systemClock, log: silentLog });

function connected(): Promise<Socket> {
  const socket = createConnection({ path: join(dir, 'jobs.sock') });
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)));
}

test('only its owner can open it, and it is removed when the server stops', async () => {
  const close = await openJobSocket(dir, jobs(), silentLog);
  expect((await stat(join(dir, 'jobs.sock'))).mode & 0o777).toBe(0o600);
  expect(await askJobs(dir, {})).toEqual([]);
  await close();
  expect(await readdir(dir)).toEqual([]);
  expect(askJobs(dir, {})).rejects.toMatchObject({ code: 'not_found' });
});

test('an invalid request is refused, and a silent client does not delay the shutdown of the server', async () => {
  const close = await openJobSocket(dir, jobs(), silentLog);
  for (const line of ['{\n', `"${'x'.repeat(300)}`, 'null\n']) {
    const socket = await connected();
    socket.write(line);
    expect(JSON.parse(await text(socket))).toMatchObject({ error: { code: 'internal_error' } });
  }
  const silent = await connected();
  await close();
  expect(await text(silent)).toBe('');
});

test('a second server of the directory leaves the socket to the first; a path that is too long only logs a warning', async () => {
  const logged: LogLine[] = [];
  const first = jobs();
  first.start({ kind: 'crawl', domains: [], pages: 1 }, 'admin');
  const close = await openJobSocket(dir, first, silentLog);
  await (
    await openJobSocket(dir, jobs(), recordingLog(logged))
  )();
  expect(await askJobs(dir, {})).toHaveLength(1);
  await (
    await openJobSocket(join(dir, 'x'.repeat(200)), jobs(), recordingLog(logged))
  )();
  expect(logged).toHaveLength(2);
  await close();
  await first.close();
});
