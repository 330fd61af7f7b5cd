/** A backup taken during writes, restored elsewhere, and verified. */
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dialects } from '../support/databases.ts';
import { logIn, openInstallation, post, printedPassword } from './installation.ts';

const refusal = (err: string) => err.replace(/^zastava: |\n$/g, '');

describe('sqlite: a backup', () => {
  test('of a busy server is complete and private, and passes the proofs after a restore', async () => {
    await using installation = await openInstallation();
    const { run, json, dir } = installation;
    const server = await installation.serve();
    const token = await logIn(server.url, 'admin', printedPassword(server.out()));
    const room = (await post(server.url, '/ai/room/', {}, token)).body.data['room_id'];
    const body = { room_id: room, ai: 1, message: 'Hello' };
    const writing = new AbortController();
    const send = async (): Promise<number> => {
      let sent = 0;
      while (!writing.signal.aborted) {
        expect((await post(server.url, '/ai/send/', body, token)).status).toBe(200);
        sent++;
      }
      return sent;
    };
    const writers = [send(), send(), send()];
    const file = join(dir, 'copy.sqlite');
    const { code, out, err } = await run(['backup', file]);
    const second = await json<object>(['backup', join(dir, 'second.sqlite')]);
    writing.abort();
    const sent = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0);

    expect(code).toBe(0);
    expect(out).toStartWith(`${file}: `);
    expect(err).toContain(join(dir, 'data', 'secret'));
    expect(second).toMatchObject({ bytes: expect.any(Number) });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);

    const elsewhere = { env: { ZASTAVA_DATA_DIR: join(dir, 'restored') } };
    expect((await run(['restore', file], elsewhere)).code).toBe(0);
    const verified = await json<{ holds: boolean }>(['ledger', 'verify'], elsewhere);
    expect(verified.holds).toBe(true);
    interface Exported {
      rooms: { messages: unknown[] }[];
    }
    const exported = await json<Exported>(['user', 'export', 'admin'], elsewhere);
    expect(exported.rooms[0]?.messages.length).toBeLessThanOrEqual(sent);
    // Messages that were open when the copy was taken are closed by the first start on it.
    const { url } = await installation.serve(elsewhere.env);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await json<object>(['user', 'show', 'admin'], elsewhere)).toMatchObject({ held: 0 });
  });

  test('never overwrites, and needs a database to copy', async () => {
    await using installation = await openInstallation();
    const { run, dir } = installation;
    const file = join(dir, 'copy.sqlite');
    const nothing = await run(['backup', file]);
    expect(nothing.code).toBe(1);
    expect(refusal(nothing.err)).toStartWith('ZASTAVA_DATA_DIR: there is no database in ');
    expect(existsSync(file)).toBe(false);
    await run(['user', 'add', 'ivan']);
    await writeFile(file, 'precious');
    const taken = await run(['backup', file]);
    expect(taken.code).toBe(1);
    expect(refusal(taken.err)).toBe(`${file} exists already: choose another name`);
    expect(await readFile(file, 'utf8')).toBe('precious');
  });

  test('is not restored over a database or under a running server', async () => {
    await using installation = await openInstallation();
    const { run, dir } = installation;
    await run(['user', 'add', 'ivan']);
    const file = join(dir, 'copy.sqlite');
    expect((await run(['backup', file])).code).toBe(0);
    expect(refusal((await run(['restore', file])).err)).toContain('exists already');
    await installation.serve();
    expect(refusal((await run(['restore', file])).err)).toStartWith('a server runs on ');
  });

  test('that is damaged, foreign or newer is refused, and leaves no files', async () => {
    await using installation = await openInstallation();
    const { run, dir } = installation;
    await run(['user', 'add', 'ivan']);
    const good = join(dir, 'copy.sqlite');
    expect((await run(['backup', good])).code).toBe(0);
    const bytes = await readFile(good);
    const damaged = Buffer.from(bytes);
    damaged.fill(0x5a, 4096 * 3, 4096 * 20);
    const cases: [name: string, content: Uint8Array, problem: RegExp][] = [
      ['damaged', damaged, /damaged|can't be read/],
      ['cut', bytes.subarray(0, bytes.length / 2), /damaged|can't be read/],
      ['text', Buffer.from('no database '.repeat(500)), /can't be read as a database/],
      ['empty', new Uint8Array(), /is not a database of Zastava/],
    ];
    const elsewhere = { env: { ZASTAVA_DATA_DIR: join(dir, 'restored') } };
    for (const [name, content, problem] of cases) {
      const file = join(dir, name);
      await writeFile(file, content);
      const { code, err } = await run(['restore', file], elsewhere);
      expect(code).toBe(1);
      expect(err).toMatch(problem);
    }
    expect((await run(['restore', join(dir, 'nowhere')], elsewhere)).err).toContain(
      'does not exist',
    );
    expect((await run(['restore', dir], elsewhere)).err).toContain(`${dir} is a directory: name a`);
    expect(existsSync(join(dir, 'restored'))).toBe(false);
    // A live database with its log beside it is not a backup.
    await installation.serve();
    const live = join(dir, 'data', 'zastava.sqlite');
    expect((await run(['restore', live], elsewhere)).err).toContain('is a live database');
    expect(existsSync(join(dir, 'restored', 'zastava.sqlite'))).toBe(false);
    expect(existsSync(join(dir, 'restored', 'zastava.sqlite.part'))).toBe(false);
    expect((await run(['restore', good], elsewhere)).code).toBe(0);
  });
});

describe('postgres: backup and restore', () => {
  test('say which tools to use instead', async () => {
    if (!dialects.includes('postgres')) return;
    await using installation = await openInstallation('postgres');
    const backup = await installation.run(['backup', 'copy']);
    expect(backup.code).toBe(1);
    expect(backup.err).toContain('pg_dump');
    expect((await installation.run(['restore', 'copy'])).err).toContain('pg_restore');
  });
});
