/** `catalogue import`: from a file or an address, into the catalogue or a file, with and without a question. */
import { describe, expect, test } from 'bun:test';
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/run.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { listedFile, listedModel, listPath } from '../catalogue/price-lists.ts';
import { logIn, openInstallation, post } from './installation.ts';

interface Row {
  outcome: string;
  list_model: string;
  model_id: number | null;
  reason: string | null;
}

interface Imported {
  format: string;
  applied: boolean;
  rows: Row[];
  not_listed: { model: string }[];
  also: string[];
}

const models = [
  listedModel(101, 'openai', 'plain', ', cost_input_tokens_rub: 2'),
  listedModel(102, 'openai', 'old'),
  listedModel(103, 'house', 'local'),
];
const rate = ['--usd-rate', '92.5', '--markup', '20'];
const modelsDev = ['catalogue', 'import', listPath('models-dev'), ...rate];

for (const dialect of dialects) {
  describe(`${dialect}: catalogue import`, () => {
    test('shows what would change, applies it with --apply, and takes effect on a running server', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run, dir } = installation;
      const { url, out } = await installation.serve();
      const path = join(dir, 'catalogue.yaml');
      await writeFile(path, listedFile(models));
      await run(['catalogue', 'apply', path]);

      const shown = await run(modelsDev);
      expect(shown).toMatchObject({ code: 0, err: 'nothing was applied: repeat with --apply\n' });
      expect(shown.out).toContain('changed:    1\nadded:      0\nunchanged:  0\nrefused:    1\n');
      expect(shown.out).toContain(
        'changed model 101 openai/plain: cost_input_tokens_rub 2 -> 16.65, cost_output_tokens_rub 0 -> 66.6, cost.currency (none) -> USD,',
      );
      expect(shown.out).toContain('refused model 102 openai/old: it is deprecated\n');
      expect(shown.out).toContain('not listed model 103 house/local: the list has no prices of');
      expect((await run(['catalogue', 'show'])).out).toMatch(/^101 .* file +2 +0 /m);

      const dry = await json<Imported>(modelsDev);
      expect(dry).toMatchObject({ format: 'models.dev', applied: false, also: [] });
      expect(dry.rows.filter(({ outcome }) => outcome === 'changed')).toMatchObject([
        {
          list_model: 'plain',
          model_id: 101,
          fields: expect.arrayContaining([
            expect.objectContaining({ from: 2, to: 16.65 }),
            expect.objectContaining({ field: 'cost.currency', to: 'USD' }),
          ]),
        },
      ]);
      const applied = await json<Imported>([...modelsDev, '--add', 'thinker', '--apply']);
      expect(applied.applied).toBe(true);
      expect(applied.rows.find(({ outcome }) => outcome === 'added')).toMatchObject({
        list_model: 'thinker',
        model_id: 1000,
        usd: { input_tokens: '1.25', cached_input_tokens: '0.125', reasoning_tokens: '12.5' },
      });
      const table = (await run(['catalogue', 'show'])).out;
      expect(table).toMatch(/ A REQUEST +AN ANSWER +CACHED \/M +REASONING \/M +FALLBACKS$/m);
      expect(table).toMatch(
        /^1000 +openai +thinker +TEXT +text +file +138\.75 +1110 +0 +0 +13\.875 +1387\.5 +-$/m,
      );

      const password = /^password: (\S+)$/m.exec(out())?.[1] ?? '';
      const token = await logIn(url, 'admin', password);
      // The server looks for changes every few seconds, so the test repeats its request until it has seen them.
      for (let price = 0; price !== 16.65;) {
        const { body } = await post(url, '/ai/settings/', {}, token);
        const ai = body.data['ai'] as { id: number; cost_input_tokens_rub: number }[];
        price = ai.find(({ id }) => id === 101)?.cost_input_tokens_rub ?? 0;
      }
      const again = await run([...modelsDev, '--apply']);
      expect(again).toMatchObject({ code: 0, err: 'nothing changes\n' });
      expect(await json<object>(['ledger', 'verify'])).toMatchObject({ holds: true });
    });

    test('with --file writes and applies the file; without it, warns that a file may undo it', async () => {
      await using installation = await openInstallation(dialect);
      const { json, run, dir } = installation;
      const path = join(dir, 'real.yaml');
      const link = join(dir, 'catalogue.yaml');
      await writeFile(path, `# ours\n${listedFile(models)}`);
      await chmod(path, 0o640);
      await symlink(path, link);
      const words = [...modelsDev, '--file', link];

      const shown = await run(words);
      expect(shown.out).toContain('Applying the file also brings:\nadded provider openai\n');
      expect(await readFile(path, 'utf8')).toContain('cost_input_tokens_rub: 2 ');
      const applied = await json<Imported>([...words, '--add', 'painter', '--apply']);
      expect(applied.applied).toBe(true);
      const text = await readFile(link, 'utf8');
      expect(text).toStartWith('# ours\n');
      expect(text).toContain('cost_input_tokens_rub: 16.65, cost_output_tokens_rub: 66.6');
      expect((await stat(path)).mode & 0o777).toBe(0o640);
      const after = await run(['catalogue', 'apply', link]);
      expect(after.out).toBe('nothing changes\n');
      expect((await run(['catalogue', 'show'])).out).toMatch(/^1000 +openai +painter +IMAGE /m);

      const warned = await run([...modelsDev, '--usd-rate', '100', '--apply']);
      expect(warned.err).toContain('brings its own models and prices back: --file writes these');
    });

    test("makes a new catalogue file of LiteLLM's configuration, which can be applied", async () => {
      await using installation = await openInstallation(dialect);
      const { json, run, dir } = installation;
      const config = join(dir, 'config.yaml');
      const row = (name: string, info: string) =>
        `  - { model_name: ${name}, litellm_params: { model: openai/${name}, api_key: sk-canary }, model_info: {${info}} }\n`;
      const limits = 'max_input_tokens: 1000, max_output_tokens: 100';
      const prices = 'input_cost_per_token: 0.000001, output_cost_per_token: 0.000002';
      await writeFile(config, `model_list:\n${row('a', `${limits}, ${prices}`)}${row('b', '')}`);
      const path = join(dir, 'new.yaml');
      const command = ['catalogue', 'import', '--litellm-config', config, '--usd-rate', '90'];

      expect(await run(command)).toMatchObject({ code: 2, err: expect.stringContaining('--file') });
      const made = await run([...command, '--file', path]);
      expect(made).toMatchObject({ code: 0, err: expect.stringContaining('catalogue apply') });
      expect(made.out).toContain('taken model_list[0] a\n');
      expect(made.out).toContain('refused model_list[1] b: its limits are unknown');
      expect(made.out).toContain(`1 row of 2 taken into ${path}`);
      expect(made.out).not.toContain('canary');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await run([...command, '--file', path])).err).toContain('exists already');
      const again = await json<{ rows: unknown[] }>([...command, '--file', `${path}.2`]);
      expect(again.rows).toMatchObject([{ outcome: 'taken' }, { outcome: 'refused' }]);

      await run(['catalogue', 'apply', path]);
      expect((await run(['catalogue', 'show'])).out).toMatch(/openai +a .*90 +180/);
    });

    test('needs a list or a configuration, and the rate of the dollar for prices', async () => {
      await using installation = await openInstallation(dialect);
      const { run } = installation;
      expect((await run(['catalogue', 'import'])).err).toContain(
        "missing required argument 'list'",
      );
      expect((await run(modelsDev.slice(0, 3))).err).toContain('usd-rate');
      const both = ['--litellm-config', 'a', '--new-api', 'b'];
      expect((await run(['catalogue', 'import', ...both])).err).toContain('give either');
    });
  });
}

describe('catalogue import', () => {
  /** Runs a command on a gateway for a person at a terminal who gives this answer. */
  async function onTerminal(words: string[], answer: string) {
    await using gateway = await openGateway('sqlite', { catalogue: listedFile(models) });
    const core = { ...gateway.core, close: () => Promise.resolve() };
    const printed = { out: '', err: '' };
    const terminal: Terminal = {
      interactive: true,
      write: async (text) => void (printed.out += text),
      writeError: async (text) => void (printed.err += text),
      ask: async (question) => {
        printed.err += question;
        return answer;
      },
      readAll: () => Promise.resolve(''),
    };
    const parts = { version: '1', terminal, env: {}, openCore: async () => core };
    const code = await runCommandLine(parts, words);
    return { code, ...printed, price: gateway.core.catalogue.get(101)?.price?.inputTokens };
  }

  test('asks on a terminal, and only yes applies', async () => {
    for (const answer of ['', 'n', 'yesterday']) {
      const { code, err, price } = await onTerminal(modelsDev, answer);
      expect({ code, price }).toEqual({ code: 0, price: 2_000_000 });
      expect(err).toBe('Apply this? [y/N] nothing was applied\n');
    }
    expect(await onTerminal(modelsDev, 'да')).toMatchObject({ code: 0, price: 16_650_000 });
    // A caller who asks for JSON is a program.
    const { err, price } = await onTerminal([...modelsDev, '--json'], 'y');
    expect({ err, price }).toEqual({ err: '', price: 2_000_000 });
  });

  test.each([
    [['--usd-rate', '0'], 1, 'usd-rate: must be rubles per dollar, above 0'],
    [['--usd-rate', '-5'], 2, 'such as 92.5'],
    [['--usd-rate', '92,5'], 2, 'such as 92.5'],
    [[], 2, "required option '--usd-rate <rubles>' not specified"],
    [
      ['--usd-rate', '90', '--long-context', 'cheap'],
      2,
      'Allowed choices are both, refuse, highest',
    ],
    [['--usd-rate', '90', '--provider', 'nobody'], 1, 'nobody is not a provider of the catalogue'],
    [['--usd-rate', '90', '--file', 'nowhere.yaml'], 1, "nowhere.yaml can't be read"],
  ])('%j is refused', async (words, code, message) => {
    const ended = await onTerminal(['catalogue', 'import', listPath('litellm'), ...words], 'y');
    expect(ended).toMatchObject({ code, price: 2_000_000 });
    expect(ended.err).toContain(message);
  });

  test('downloads the given address, within limits', async () => {
    const list = await readFile(listPath('litellm'));
    const server = createServer((request, response) => {
      if (request.url === '/moved')
        return void response.writeHead(302, { location: '/list' }).end();
      if (request.url === '/gone') return void response.writeHead(404).end();
      if (request.url === '/endless') {
        const more = () =>
          void response.write(Buffer.alloc(1 << 20), () => !response.closed && more());
        return more();
      }
      response.end(request.url === '/page' ? '<html>' : list);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const from = (path: string) =>
      onTerminal(
        ['catalogue', 'import', `http://127.0.0.1:${port}${path}`, ...rate, '--apply'],
        '',
      );
    expect(await from('/moved')).toMatchObject({ code: 0, price: 16_650_000 });
    for (const [path, message] of [
      ['/gone', "/gone can't be downloaded: the server answered 404"],
      ['/endless', "/endless can't be downloaded: it has more than 67108864 bytes"],
      ['/page', "the price list can't be read: it is not a JSON object"],
    ] as const) {
      const ended = await from(path);
      expect(ended).toMatchObject({ code: 1, price: 2_000_000 });
      expect(ended.err).toContain(message);
    }
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect((await from('/gone')).err).toContain("can't be downloaded: ");
  }, 300_000);
});
