/** `reconcile` as a command: beside a running server, for people and for machines, with a large file. */
import { describe, expect, test } from 'bun:test';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dialects } from '../support/databases.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { catalogueOf } from '../support/world.ts';
import { logIn, openInstallation, post, printedPassword } from './installation.ts';

interface Report {
  by: string;
  from: string;
  file: { rows: number; prompt_tokens: number; cost: string };
  ours: { requests: number; charged: number };
  matched: number;
  differing: number;
  only_in_file: number;
  only_with_us: number;
  differing_rows: { provider_message_id: string; line: number }[];
  only_in_file_rows: { provider_message_id: string }[];
  only_with_us_rows: { provider_message_id: string; ours: { charged: number } }[];
}

/** Folders left where the command keeps what does not fit into memory. */
const scratchFolders = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.startsWith('zastava-reconcile-'));

for (const dialect of dialects) {
  test(`${dialect}: reconcile reports the same in text and JSON, while the server runs`, async () => {
    await using provider = await ScriptedProvider.start();
    await using installation = await openInstallation(dialect);
    const { dir, run } = installation;
    await writeFile(join(dir, 'catalogue.yaml'), catalogueOf(provider));
    const server = await installation.serve({ ZASTAVA_CATALOGUE: join(dir, 'catalogue.yaml') });
    const token = await logIn(server.url, 'admin', printedPassword(server.out()));
    const room = (await post(server.url, '/ai/room/', {}, token)).body.data['room_id'];
    const days = new Set<string>();
    for (const id of ['gen-same', 'gen-other', 'gen-lost']) {
      await provider.script({ id, usage: { prompt_tokens: 7, completion_tokens: 3 } });
      days.add(new Date().toISOString().slice(0, 10));
      const body = { room_id: room, ai: 101, message: 'Hello' };
      expect((await post(server.url, '/ai/send/', body, token)).status).toBe(200);
    }
    days.add(new Date().toISOString().slice(0, 10));
    const [from = '', to = from] = [...days];
    const file = join(dir, 'usage.csv');
    await writeFile(
      file,
      `\uFEFF"Generation ID";"Input Tokens";"Output Tokens";Cost\r\ngen-same;7;3;0.000001\r\ngen-other;8;3;0.1\r\n"gen-\u001B[31mred";1;1;0.1\r\n`,
    );
    const words = ['reconcile', file, '--from', from, '--to', to];

    const people = await run(words);
    expect(people).toMatchObject({ code: 1, err: '' });
    expect(people.out).toContain("compared by:      the provider's id of each answer\n");
    expect(people.out).toContain('in the file:      3 rows, 16 + 7 tokens, cost 0.200001\n');
    expect(people.out).toContain('differing gen-other ');
    expect(people.out).toContain(': 8 + 3 tokens in the file, 7 + 3 tokens with us\n');
    expect(people.out).toContain('only in file gen-\\u001b[31mred: 1 + 1 tokens in the file\n');
    expect(people.out).toMatch(
      /only with us \S+ scripted\/scripted-text gen-lost \(user 1, message 3\): /,
    );

    const machine = await run([...words, '--json']);
    const report = JSON.parse(machine.out) as Report;
    const wish = { csv: await Bun.file(file).text(), from, to };
    const answer = await post(server.url, '/admin/reconcile/', wish, token);
    expect(answer.body.data as unknown).toEqual(report);
    const one = await post(server.url, '/admin/reconcile/', { ...wish, limit: 1 }, token);
    expect(one.body.data).toMatchObject({ only_in_file: 1, only_with_us_rows: [{}] });
    for (const wrong of [{ providers: ['nobody'] }, { models: { m: 'nothing' } }]) {
      const odd = { csv: 'date,model,input_tokens\n2026-01-01,m,1\n', ...wrong };
      const [path] = Object.keys(wrong);
      expect((await post(server.url, '/admin/reconcile/', odd, token)).body).toMatchObject({
        error: { code: 'invalid_request', details: [{ path }] },
      });
    }
    expect(report).toMatchObject({
      by: 'id',
      from,
      file: { rows: 3, prompt_tokens: 16, cost: '0.200001' },
      matched: 1,
      differing: 1,
      only_in_file: 1,
      only_with_us: 1,
      differing_rows: [{ provider_message_id: 'gen-other', line: 3 }],
      only_in_file_rows: [{ provider_message_id: 'gen-\u001B[31mred' }],
      only_with_us_rows: [{ provider_message_id: 'gen-lost' }],
    });
    expect(report.ours.charged).toBeGreaterThan(0);

    await writeFile(file, `id,prompt_tokens\ngen-same,7\ngen-other,7\ngen-lost,7\n`);
    expect(await run(['reconcile', file])).toMatchObject({ code: 0, err: '' });
    expect((await run(['user', 'list'])).code).toBe(0);

    await provider.script({ id: 'dear', usage: { prompt_tokens: 7, completion_tokens: 9_000 } });
    const capped = { room_id: room, ai: 101, message: 'Hello', max_output_tokens: 1 };
    expect((await post(server.url, '/ai/send/', capped, token)).status).toBe(200);
    await writeFile(file, `id,prompt_tokens,completion_tokens\ndear,7,9000\n`);
    const undercharged = await run(['reconcile', file]);
    // An undercharge is no difference between the two sides.
    expect(undercharged.code).toBe(0);
    expect(undercharged.out).toMatch(/undercharged: +1 answers, 2\.\d+ ₽ not charged\n/);
    expect(undercharged.out).toMatch(
      /undercharged \S+ scripted\/scripted-text dear \(user 1, message 4\): .* ₽, 2\.\d+ ₽ not charged\n/,
    );
  });
}

describe('reconcile', () => {
  test('keeps the rows of a large file on disk, and removes them', async () => {
    await using installation = await openInstallation();
    await installation.json(['user', 'add', 'ivan']);
    const rows = 60_000;
    const file = join(installation.dir, 'large.csv');
    const lines = Array.from({ length: rows }, (_, n) => `gen-${n},2026-11-01,m,1,2,0.000001`);
    await writeFile(
      file,
      `id,date,model,prompt_tokens,completion_tokens,cost\n${lines.join('\n')}`,
    );
    const env = { TMPDIR: installation.dir };
    const { code, out } = await installation.run(['reconcile', file, '--json'], { env });
    expect(code).toBe(1);
    const report = JSON.parse(out) as Report;
    expect(report).toMatchObject({
      file: { rows, prompt_tokens: rows, cost: '0.06' },
      matched: 0,
      only_in_file: rows,
      only_with_us: 0,
    });
    expect(report.only_in_file_rows).toHaveLength(rows);
    expect(await scratchFolders(installation.dir)).toEqual([]);
  }, 300_000);

  test.each([
    [['nowhere.csv'], 1, /nowhere\.csv can't be read: /],
    [['x.csv', '--from', '2026-11-22', '--to', '2026-11-20'], 1, /--from: must not be after --to/],
    [['x.csv', '--from', '2026-02-30'], 2, /such as 2030-12-31/],
    [[], 2, /missing required argument 'file'/],
  ])('%j is refused', async (words, code, message) => {
    await using installation = await openInstallation();
    await installation.json(['user', 'add', 'ivan']);
    const ended = await installation.run(['reconcile', ...words]);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toMatch(message);
  });

  test('refuses a file that is not UTF-8, and leaves no files', async () => {
    await using installation = await openInstallation();
    await installation.json(['user', 'add', 'ivan']);
    const file = join(installation.dir, 'odd.csv');
    await writeFile(
      file,
      Buffer.concat([Buffer.from('id,prompt_tokens\na,'), Buffer.from([0xff])]),
    );
    const env = { TMPDIR: installation.dir };
    const { code, err } = await installation.run(['reconcile', file], { env });
    expect({ code, err }).toEqual({
      code: 1,
      err: `zastava: ${file} can't be read: it is not valid UTF-8: save it as UTF-8\n`,
    });
    expect(await scratchFolders(installation.dir)).toEqual([]);
  });
});
