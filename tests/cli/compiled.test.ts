/** The compiled executable finds everything that it needs at run time. */
import { expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { donorsOf, writeGraph } from '../trust/check/links.ts';
import { logIn, openInstallation, post } from './installation.ts';

const root = resolve(import.meta.dir, '../..');

/** A package of the AI SDK that answers without a provider, installed beside the executable. */
async function installPackage(folder: string): Promise<void> {
  const path = join(folder, 'node_modules/@test/beside');
  await mkdir(path, { recursive: true });
  const json = { name: '@test/beside', version: '1.0.0', type: 'module', exports: './index.js' };
  await Bun.write(join(path, 'package.json'), JSON.stringify(json));
  await Bun.write(
    join(path, 'index.js'),
    `export const createBeside = () => ({
      specificationVersion: 'v4',
      languageModel: () => ({
        specificationVersion: 'v4',
        supportedUrls: {},
        doGenerate: async () => ({
          content: [{ type: 'text', text: 'from beside' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: { inputTokens: { total: 3 }, outputTokens: { total: 2 } },
          warnings: [],
        }),
      }),
    });`,
  );
}

const page = () =>
  new Response('<title>Газета</title><p>Новости города: сегодня открылся новый мост через реку.', {
    headers: { 'content-type': 'text/html' },
  });

const catalogue = `
providers:
  beside: { kind: ai-sdk, options: { package: '@test/beside' } }
models:
  - { id: 101, provider: beside, model: any, type: TEXT, max_input_tokens: 1000, max_output_tokens: 100 }
`;

/** Name and version of each part in a bill of materials. */
async function componentsOf(file: string): Promise<[string, string][]> {
  const { bomFormat, metadata, components } = await Bun.file(file).json();
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', packageFile.name]);
  return components.map(({ name, version }: { name: string; version: string }) => [name, version]);
}

test('the compiled executable serves, imports, ranks, loads packages beside it, and has a bill of materials', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'zastava-compiled-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const executable = join(folder, 'zastava');
  await Bun.$`${process.execPath} ${join(root, 'scripts/build.ts')} ${executable}`.quiet();
  expect(await componentsOf(`${executable}.cdx.json`)).toEqual(
    expect.arrayContaining(Object.entries(packageFile.dependencies)),
  );
  await using installation = await openInstallation('sqlite', [executable]);

  // Neither settings nor code come from the current folder.
  await Bun.write(join(installation.dir, '.env'), 'ZASTAVA_PORT=abc');
  await Bun.write(join(installation.dir, 'bunfig.toml'), 'preload = ["./absent.ts"]');

  // Both of these start threads, each from a separate file.
  const files = await writeGraph(installation.dir, donorsOf('alpha.ru', 50));
  const graph = ['--vertices', files.vertices, '--edges', files.edges];
  for (const words of [
    ['import', ...graph],
    ['rank', '--release', 'first'],
  ]) {
    const done = await installation.run(['trust', ...words, '--release', 'first']);
    expect(done).toMatchObject({ code: 0 });
  }
  // Detecting the language of a page needs a table that is loaded late.
  using site = Bun.serve({
    port: 0,
    fetch: ({ url }) => (url.endsWith('/robots.txt') ? new Response('', { status: 404 }) : page()),
  });
  const env = {
    ZASTAVA_FETCH_ALLOW: '127.0.0.1',
    ZASTAVA_FETCH_RESOLVE: `alpha.ru:80=127.0.0.1:${site.port}`,
  };
  const checked = await installation.json(['trust', 'check', 'alpha.ru'], { env });
  expect(checked).toMatchObject({
    domain: 'alpha.ru',
    donors: 50,
    page: { language: 'ru', language_source: 'detected' },
  });

  await installPackage(folder);
  const file = join(installation.dir, 'catalogue.yaml');
  await Bun.write(file, catalogue);
  const password = 'a password for the executable';
  const server = await installation.serve({
    ZASTAVA_CATALOGUE: file,
    ZASTAVA_ADMIN_PASSWORD: password,
  });
  expect(await (await fetch(`${server.url}/docs`)).text()).toContain('<html');
  const token = await logIn(server.url, 'admin', password);
  const room = await post(server.url, '/ai/room/', {}, token);
  const { room_id } = room.body.data;
  const sent = await post(server.url, '/ai/send/', { room_id, ai: 101, message: 'hello' }, token);
  expect(sent.body.data).toMatchObject({ response: 'from beside' });
  server.signal('SIGTERM');
  expect((await server.exited).code).toBe(0);
});
