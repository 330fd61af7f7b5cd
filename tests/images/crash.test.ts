/** A process killed between storing an image and its settle leaves no bytes for ever. */
import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialect } from '../../src/db/index.ts';
import { movableClock } from '../support/clock.ts';
import { dialects, openTestDatabase, type TestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { openGateway, PASSWORD } from '../support/gateway.ts';
import { s3Env } from '../support/image-stores.ts';
import { startS3Double } from '../support/s3-double.ts';
import { startServer } from '../torture/support/server-process.ts';
import { becomesTrue } from '../torture/support/until.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

const LONG_MS = 3_600_000;
const SWEPT_WITHIN_MS = 240_000;

/**
 * Sends an image through a server and kills it once the store has the bytes.
 * @returns their name
 */
async function killedWhileItDraws(env: Record<string, string>, stored: Promise<string>) {
  const server = await startServer(env);
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = (await (await fetch(server.url + path, init)).json()) as { data: unknown };
    return answer.data as never;
  };
  const login = { login: 'admin', password: PASSWORD };
  const { token } = (await post('/auth/login/', login)) as { token: string };
  const { room_id } = (await post('/ai/room/', {}, token)) as { room_id: string };
  const lost = failure(post('/ai/send/', { room_id, ai: 2, message: 'a gate' }, token));
  const name = await stored;
  await server.kill();
  await lost;
  return name;
}

async function leavesNothing(dialect: Dialect): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const double = stack.use(startS3Double());
  const dataDir = await mkdtemp(join(tmpdir(), 'zastava-image-crash-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const other = stack.use(await openTestDatabase(dialect));
  const path = join(dataDir, 'zastava.sqlite');
  const database: TestDatabase =
    dialect === 'sqlite' ? { ...other, config: { kind: 'sqlite', path } } : other;
  const secret = { ZASTAVA_SECRET: 's'.repeat(32) };
  const env = {
    ...s3Env(double),
    ...secret,
    ZASTAVA_DATA_DIR: dataDir,
    ZASTAVA_ADMIN_PASSWORD: PASSWORD,
    ...(database.config.kind === 'postgres' && { ZASTAVA_DATABASE_URL: database.config.url }),
  };
  const name = await killedWhileItDraws(env, double.swallowPut());
  expect([...double.objects.keys()]).toEqual([name]);

  // The next process on that directory, an hour later: its start closes the message, then sweeps.
  const clock = movableClock();
  clock.forward(LONG_MS);
  const logged: LogLine[] = [];
  const options = {
    database,
    dataDir,
    clock,
    env: { ...s3Env(double), ...secret },
    log: recordingLog(logged),
  };
  const gateway = stack.use(await openGateway(dialect, options));
  const isLogged = () => logged.some((line) => line['removed'] === 1);
  expect(await becomesTrue(isLogged, SWEPT_WITHIN_MS)).toBe(true);
  expect(double.objects.size).toBe(0);
  expect(await gateway.core.db.query('SELECT id FROM image_writes')).toEqual([]);
}

for (const dialect of dialects) {
  describe(`${dialect}: an image stored just before its process was killed`, () => {
    test('is removed by the next start', () => leavesNothing(dialect), 300_000);
  });
}
