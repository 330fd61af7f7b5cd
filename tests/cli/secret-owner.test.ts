/** A database knows its secret: nothing is encrypted with another one. */
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dialects } from '../support/databases.ts';
import { openInstallation, post, type Installation } from './installation.ts';

const [own, other] = ['own secret '.repeat(4), 'other secret '.repeat(4)];
const password = 'chosen by the operator';
const catalogue = `
providers:
  mine: { kind: openai, base_url: "http://127.0.0.1:9/v1", api_key: sk-written-in-clear }
models:
  - { id: 101, provider: mine, model: m, type: TEXT, max_input_tokens: 1000, max_output_tokens: 100 }
`;

/** Runs a server once, with the secret `own` and a catalogue with a key in plain text. */
async function served(installation: Installation): Promise<string> {
  const file = join(installation.dir, 'catalogue.yaml');
  await writeFile(file, catalogue);
  const env = { ZASTAVA_SECRET: own, ZASTAVA_ADMIN_PASSWORD: password };
  const server = await installation.serve(env);
  expect(await installation.run(['catalogue', 'apply', file], { env })).toMatchObject({ code: 0 });
  server.signal('SIGTERM');
  await server.exited;
  return file;
}

for (const dialect of dialects) {
  describe(`${dialect}: a database that has a secret`, () => {
    test('refuses every command that would encrypt with another one', async () => {
      await using installation = await openInstallation(dialect);
      const { run } = installation;
      const file = await served(installation);
      await writeFile(file, catalogue.replace('sk-written', 'sk-other'));
      const { code, out, err } = await run(['catalogue', 'apply', file], {
        env: { ZASTAVA_SECRET: other },
      });
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/^zastava: ZASTAVA_SECRET: is not the secret of this database: /);
      expect(err).toContain('ZASTAVA_SECRET_PREVIOUS');
      expect(err.trimEnd().split('\n')).toHaveLength(1);
      await writeFile(file, catalogue);
      const again = await run(['catalogue', 'apply', file], { env: { ZASTAVA_SECRET: own } });
      expect(again.out).toBe('nothing changes\n');
    });

    test('accepts models, and keys from variables, without it', async () => {
      await using installation = await openInstallation(dialect);
      const file = await served(installation);
      await writeFile(file, catalogue.replace('sk-written-in-clear', '"${SOME_KEY}"'));
      const env = { ZASTAVA_SECRET: other, SOME_KEY: 'sk-of-a-variable' };
      const applied = await installation.run(['catalogue', 'apply', file], { env });
      expect(applied).toMatchObject({ code: 0 });
      const server = await installation.serve({ ...env, ZASTAVA_SECRET: own });
      server.signal('SIGTERM');
      expect((await server.exited).err).not.toContain('can not be read');
    });

    test('refuses a server with another one while others run; a single server may change it', async () => {
      await using installation = await openInstallation(dialect);
      await served(installation);
      if (dialect === 'postgres') {
        const node = await installation.serve({ ZASTAVA_SECRET: own });
        const data = join(installation.dir, 'data-of-another');
        const env = { ZASTAVA_SECRET: other, ZASTAVA_DATA_DIR: data };
        const { code, err } = await installation.run(['serve'], { env });
        expect([code, err]).toEqual([1, expect.stringContaining('is not the secret of this')]);
        node.signal('SIGTERM');
        await node.exited;
      }
      const server = await installation.serve({ ZASTAVA_SECRET: other });
      server.signal('SIGTERM');
      const { err } = await server.exited;
      expect(err).toContain('ZASTAVA_SECRET has changed');
      expect(err).toContain('provider keys can not be read');
    });

    test('serves commands that need no secret', async () => {
      await using installation = await openInstallation(dialect);
      await served(installation);
      const env = { ZASTAVA_SECRET: '' };
      expect(await installation.json<unknown[]>(['user', 'list'], { env })).toHaveLength(1);
      expect(await installation.json<object>(['ledger', 'verify'], { env })).toMatchObject({
        holds: true,
      });
      expect(existsSync(join(installation.dir, 'data', 'secret'))).toBe(false);
    });

    test('lets commands encrypt so that all servers can decrypt during a change', async () => {
      await using installation = await openInstallation(dialect);
      const { run } = installation;
      const file = await served(installation);
      await writeFile(file, catalogue.replace('sk-written', 'sk-other'));
      const changing = { ZASTAVA_SECRET: other, ZASTAVA_SECRET_PREVIOUS: own };
      expect(await run(['catalogue', 'apply', file], { env: changing })).toMatchObject({ code: 0 });
      const shown = await run(['catalogue', 'show'], { env: { ZASTAVA_SECRET: own } });
      expect(shown).toMatchObject({ code: 0 });
      expect(shown.out).not.toContain('unreadable');
      const old = await installation.serve({ ZASTAVA_SECRET: own, ZASTAVA_SECRET_PREVIOUS: other });
      old.signal('SIGTERM');
      await old.exited;
      const next = await installation.serve(changing);
      next.signal('SIGTERM');
      await next.exited;
      const after = await run(['catalogue', 'show'], { env: { ZASTAVA_SECRET: other } });
      expect(after).toMatchObject({ code: 0 });
      expect(after.out).not.toContain('unreadable');
    });

    test('is not replaced while a server runs', async () => {
      await using installation = await openInstallation(dialect);
      const { signal, exited } = await installation.serve();
      const env = { ZASTAVA_SECRET: 'n'.repeat(40) };
      const dirs = dialect === 'postgres' ? [undefined, `${installation.dir}/other`] : [undefined];
      for (const dir of dirs) {
        const settings = { ...env, ...(dir !== undefined && { ZASTAVA_DATA_DIR: dir }) };
        const { code, err } = await installation.run(['secret', 'adopt'], { env: settings });
        expect([code, err]).toEqual([
          1,
          expect.stringMatching(/serves the data|stop every server/),
        ]);
      }
      signal('SIGTERM');
      await exited;
      expect((await installation.run(['secret', 'adopt'], { env })).code).toBe(0);
    });

    test('adopts another one on request, and names the keys lost with the old one', async () => {
      await using installation = await openInstallation(dialect);
      const file = await served(installation);
      const env = { ZASTAVA_SECRET: other };
      const adopted = await installation.json<object>(['secret', 'adopt'], { env });
      expect(adopted).toEqual({
        secret: 'ZASTAVA_SECRET',
        changed: true,
        unreadable: ['mine'],
        unreadable_second_factors: 0,
      });
      const again = await installation.run(['secret', 'adopt'], { env });
      expect(again.out).toContain('already');
      expect(again.err).toContain('the keys of mine were sealed with another secret');
      const { out } = await installation.run(['audit', '--action', 'secret_changed', '--json']);
      expect(JSON.parse(out)).toMatchObject({ action: 'secret_changed', origin: 'command' });
      expect((await installation.run(['catalogue', 'apply', file], { env })).out).toContain('mine');
      const server = await installation.serve(env);
      const login = { login: 'admin', password };
      expect((await post(server.url, '/auth/login/', login)).status).toBe(200);
      server.signal('SIGTERM');
      expect((await server.exited).err).not.toContain('can not be read');
    });
  });
}

describe('sqlite: a data directory', () => {
  test('keeps the secret of its running server, whatever a second server has', async () => {
    await using installation = await openInstallation();
    const file = await served(installation);
    const env = { ZASTAVA_SECRET: own };
    await installation.serve(env);
    for (const secret of ['', other]) {
      const second = await installation.run(['serve'], { env: { ZASTAVA_SECRET: secret } });
      expect(second).toMatchObject({ code: 1, out: '' });
      expect(second.err).toMatch(/^zastava: another zastava serves the data directory [^\n]+\n$/);
    }
    expect(existsSync(join(installation.dir, 'data', 'secret'))).toBe(false);
    await writeFile(file, catalogue.replace('sk-written', 'sk-other'));
    expect(await installation.run(['catalogue', 'apply', file], { env })).toMatchObject({
      code: 0,
    });
  });

  test("gets no file if the server's secret comes from the environment", async () => {
    await using installation = await openInstallation();
    const file = await served(installation);
    await writeFile(file, catalogue.replace('sk-written', 'sk-other'));
    const { code, out, err } = await installation.run(['catalogue', 'apply', file]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^zastava: ZASTAVA_SECRET: is not set, and there is no [^\n]+\n$/);
    expect(existsSync(join(installation.dir, 'data', 'secret'))).toBe(false);
  });

  test('gets another secret on request if its file was lost', async () => {
    await using installation = await openInstallation();
    expect(await installation.run(['catalogue', 'apply', '-'], { stdin: catalogue })).toMatchObject(
      {
        code: 0,
      },
    );
    const path = join(installation.dir, 'data', 'secret');
    const before = await readFile(path, 'utf8');
    await Bun.file(path).delete();
    expect(await installation.json<object>(['secret', 'adopt'])).toEqual({
      secret: path,
      changed: true,
      unreadable: ['mine'],
      unreadable_second_factors: 0,
    });
    expect(await readFile(path, 'utf8')).not.toBe(before);
    expect((await installation.serve()).url).toStartWith('http');
  });

  test('gets one secret from several concurrent first commands', async () => {
    await using installation = await openInstallation();
    const all = await Promise.all(
      Array.from({ length: 4 }, () =>
        installation.spawn(['catalogue', 'apply', '-'], { stdin: catalogue }),
      ),
    );
    for (const { code, err } of all) {
      expect([code, err]).toEqual([0, expect.stringMatching(/^(zastava: made a new .*\n)?$/)]);
    }
    const files = await readdir(join(installation.dir, 'data'));
    expect(files.filter((name) => name.startsWith('secret'))).toEqual(['secret']);
  });

  test('is served with a new secret if it was restored without the old one', async () => {
    await using installation = await openInstallation();
    await served(installation);
    const copy = join(installation.dir, 'copy.sqlite');
    expect(await installation.run(['backup', copy])).toMatchObject({ code: 0 });
    const env = { ZASTAVA_DATA_DIR: join(installation.dir, 'restored') };
    expect(await installation.run(['restore', copy], { env })).toMatchObject({ code: 0 });
    // A command must not choose it.
    const apply = ['catalogue', 'apply', '-'];
    const given = { env, stdin: catalogue.replace('sk-written', 'sk-other') };
    expect((await installation.run(apply, given)).code).toBe(1);
    expect((await installation.serve(env)).url).toStartWith('http');
    expect((await installation.run(apply, given)).code).toBe(0);
  });
});
