/** An installation moves from SQLite to PostgreSQL, and nothing is lost. */
import { describe, expect, test } from 'bun:test';
import { Database as Sqlite } from 'bun:sqlite';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/index.ts';
import { dialects } from '../support/databases.ts';
import { startS3Double } from '../support/s3-double.ts';
import {
  logIn,
  openNewInstallation,
  post,
  printedPassword,
  type Installation,
  type RunningServer,
} from './installation.ts';

/** Each start has a different port, which is part of the URLs of images. */
const named = { ZASTAVA_PUBLIC_URL: 'https://gateway.test' };
const onSqlite = { ...named, ZASTAVA_DATABASE_URL: '', ZASTAVA_SECRET: '' };

async function stop(server: RunningServer): Promise<void> {
  server.signal('SIGTERM');
  expect((await server.exited).code).toBe(0);
}

/** First a while on SQLite, with an example of everything that users can have. */
async function liveOnSqlite(installation: Installation) {
  const server = await installation.serve(onSqlite);
  const password = printedPassword(server.out());
  const token = await logIn(server.url, 'admin', password);
  const { data } = (await post(server.url, '/ai/room/', {}, token)).body;
  const room = { room_id: data['room_id'] };
  for (const message of ['Привет 👋', 'second', 'third']) {
    const sent = await post(server.url, '/ai/send/', { ...room, ai: 1, message }, token);
    expect(sent.status).toBe(200);
  }
  const drawn = await post(server.url, '/ai/send/', { ...room, ai: 2, message: 'a cat' }, token);
  const image = new URL(String(drawn.body.data['response'])).pathname;
  const env = { env: onSqlite };
  const { key } = await installation.json<{ key: string }>(
    ['key', 'create', 'admin', '--name', 'mine'],
    env,
  );
  await installation.json(['user', 'add', 'ivan', '--credit', '12.345678'], env);
  await installation.json(['user', 'quota', 'ivan', '--requests-per-minute', '7'], env);
  const history = (await post(server.url, '/ai/history/', room, token)).body.data;
  await stop(server);
  return { password, token, key, room, image, history };
}

const rowsIn = (installation: Installation, env: Record<string, string>) =>
  installation.json<{ balance: number; held: number }>(['user', 'show', 'ivan'], { env });

describe.if(dialects.includes('postgres'))('copy-to-postgres', () => {
  test('receives everything: tokens, keys, rooms, images, balances, limits', async () => {
    await using installation = await openNewInstallation('postgres');
    const { dir, run, json } = installation;
    const before = await liveOnSqlite(installation);
    const ivan = await rowsIn(installation, onSqlite);

    const { code, out, err } = await run(['copy-to-postgres']);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(out).toMatch(/^\d+ rows of \d+ tables and 1 image copied; the books hold\n$/);
    const file = join(dir, 'data', 'zastava.sqlite');
    expect(err).toContain(`${file} was not changed`);

    // The documented step.
    await rename(file, `${file}.copied`);
    const secret = (await readFile(join(dir, 'data', 'secret'), 'utf8')).trim();
    const server = await installation.serve({ ...named, ZASTAVA_SECRET: secret });
    expect(server.out()).not.toContain('password:');
    for (const credential of [before.token, before.key]) {
      const { body } = await post(server.url, '/ai/history/', before.room, credential);
      expect(body.data).toEqual(before.history);
    }
    expect(await logIn(server.url, 'admin', before.password)).toMatch(/^ey/);
    const image = await fetch(`${server.url}${before.image}`);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(await rowsIn(installation, { ZASTAVA_SECRET: secret })).toEqual(ivan);
    const body = { ...before.room, ai: 1, message: 'fifth', chat_depth: 3 };
    const sent = await post(server.url, '/ai/send/', body, before.key);
    expect(sent.body.data).toMatchObject({ id: 5, context_used: 3 });
    expect((await json<{ holds: boolean }>(['ledger', 'verify'])).holds).toBe(true);
  });

  test('gets image files in the bucket if one is configured', async () => {
    await using installation = await openNewInstallation('postgres');
    await using bucket = startS3Double();
    const { image } = await liveOnSqlite(installation);
    const inBucket = {
      ZASTAVA_IMAGES_S3_BUCKET: 'zastava',
      ZASTAVA_IMAGES_S3_ENDPOINT: bucket.endpoint,
      ZASTAVA_IMAGES_S3_ACCESS_KEY_ID: 'access-key',
      ZASTAVA_IMAGES_S3_SECRET_ACCESS_KEY: 'secret-key',
    };
    const copied = await installation.json<object>(['copy-to-postgres'], { env: inBucket });
    expect(copied).toMatchObject({ images: 1, images_missing: 0, tables: { image_bytes: 0 } });
    const server = await installation.serve(inBucket);
    const served = await fetch(`${server.url}${image}`);
    expect(served.status).toBe(200);
    const [stored] = bucket.objects.values();
    expect(Buffer.compare(stored?.bytes ?? new Uint8Array(), await served.bytes())).toBe(0);
  });

  test('gets the other images if some have no file, which are reported', async () => {
    await using installation = await openNewInstallation('postgres');
    await liveOnSqlite(installation);
    await rm(join(installation.dir, 'data', 'images'), { recursive: true });
    const { code, err } = await installation.run(['copy-to-postgres']);
    expect(code).toBe(0);
    expect(err).toContain('1 image without a file: not copied');
  });

  test('stays empty if the copy is refused', async () => {
    await using installation = await openNewInstallation('postgres');
    const { run, json, dir, env } = installation;
    const refusal = async (settings: Record<string, string> = {}) => {
      const { code, out, err } = await run(['copy-to-postgres'], { env: settings });
      expect({ code, out }).toEqual({ code: 1, out: '' });
      return err.replace(/^zastava: /, '');
    };
    expect(await refusal(onSqlite)).toStartWith('ZASTAVA_DATABASE_URL is not set');
    expect(await refusal()).toStartWith('ZASTAVA_DATA_DIR: there is no SQLite database in ');

    const server = await installation.serve(onSqlite);
    const nowhere = { ZASTAVA_DATABASE_URL: 'postgres://127.0.0.1:1/zastava' };
    expect(await refusal()).toStartWith(`a server runs on ${join(dir, 'data')}: stop it`);
    await stop(server);
    expect(await refusal(nowhere)).toStartWith('ZASTAVA_DATABASE_URL: the database can');

    // Books that do not balance are not copied.
    const file = join(dir, 'data', 'zastava.sqlite');
    const tamper = (sql: string) => {
      using sqlite = new Sqlite(file);
      sqlite.run(sql);
    };
    tamper('UPDATE accounts SET balance = balance + 1');
    expect(await refusal()).toMatch(/nothing was copied: the books of .* do not hold \(“every b/);
    const postgres = openDatabase({ kind: 'postgres', url: env['ZASTAVA_DATABASE_URL'] ?? '' });
    const users = () => postgres.query('SELECT login FROM users');
    expect(await users()).toEqual([]);
    tamper('UPDATE accounts SET balance = balance - 1');

    await json(['user', 'add', 'somebody']);
    expect(await refusal()).toMatch(/^the PostgreSQL database is not empty \(.*users.*\): nothing/);
    expect(await users()).toEqual([{ login: 'somebody' }]);
    await postgres.close();
  });
});
