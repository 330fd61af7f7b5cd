/** kill -9 in the middle of `trust import` and `trust rank`: the old release stays in use throughout. */
import { expect, test } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { donorsOf, writeGraph, type Links } from '../trust/check/links.ts';
import {
  logIn,
  openInstallation,
  post,
  printedPassword,
  type Installation,
} from './installation.ts';

const launcher = resolve(import.meta.dir, '../../bin/zastava');
const oldLinks: Links = [...donorsOf('alpha.ru', 5), ['msu.edu', 'alpha.ru']];
const newLinks: Links = [...donorsOf('alpha.ru', 20_000), ['msu.edu', 'beta.ru']];

/** Runs a command and kills it once its output says that it has reached a step. */
async function killAt(
  { env, dir }: Installation,
  words: readonly string[],
  isThere: (output: string) => boolean,
): Promise<void> {
  const child = Bun.spawn(['sh', launcher, ...words], {
    env,
    cwd: dir,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const decoder = new TextDecoder();
  let output = '';
  for await (const chunk of child.stderr) {
    output += decoder.decode(chunk, { stream: true });
    if (isThere(output)) child.kill('SIGKILL');
  }
  await child.exited;
  expect([child.signalCode, output]).toEqual(['SIGKILL', output]);
}

/** Serves both files; the edges stop at their middle until the test continues them. */
function halfAServer(files: { vertices: string; edges: string }) {
  let isWhole = false;
  const reached = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const isEdges = new URL(request.url).pathname === '/edges.txt';
      const file = Bun.file(isEdges ? files.edges : files.vertices);
      if (isWhole || !isEdges) return new Response(file);
      const half = (await file.bytes()).subarray(0, Math.floor(file.size / 2));
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(half),
          pull: () => {
            reached.resolve();
            return new Promise(() => undefined);
          },
        }),
      );
    },
  });
  return {
    vertices: `http://127.0.0.1:${server.port}/vertices.txt`,
    edges: `http://127.0.0.1:${server.port}/edges.txt`,
    reached: reached.promise,
    goOn: () => void (isWhole = true),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

test('killed imports and ranks leave the old release in use, and continue when run again', async () => {
  await using installation = await openInstallation();
  const { dir, json } = installation;
  installation.env['ZASTAVA_FETCH_RESOLVE'] = 'alpha.ru:80=127.0.0.1:1';
  installation.env['ZASTAVA_FETCH_ALLOW'] = '127.0.0.1';
  const old = await writeGraph(dir, oldLinks);
  const importWords = ({ vertices, edges }: { vertices: string; edges: string }, name: string) => [
    'trust',
    'import',
    '--vertices',
    vertices,
    '--edges',
    edges,
    '--release',
    name,
  ];
  await json<object>(importWords(old, 'old'));
  await json<object>(['trust', 'rank']);
  const server = await installation.serve();
  const token = await logIn(server.url, 'admin', printedPassword(server.out()));
  const verdict = async () => {
    const { body } = await post(server.url, '/trust/check/', { url: 'alpha.ru' }, token);
    const { release, xt, spam, donors, components, top_donors: top } = body.data;
    return { release, xt, spam, donors, components, top };
  };
  const before = await verdict();
  expect(before).toMatchObject({ release: 'old', donors: 6 });

  const newer = join(dir, 'newer');
  await mkdir(newer);
  await using files = halfAServer(await writeGraph(newer, newLinks));
  const importing = importWords(files, 'new');
  const child = Bun.spawn(['sh', launcher, ...importing], {
    env: installation.env,
    cwd: dir,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  });
  await files.reached;
  expect(await verdict()).toEqual(before);
  child.kill('SIGKILL');
  await child.exited;
  expect(await verdict()).toEqual(before);
  expect(await json<object[]>(['trust', 'release', 'list'])).toHaveLength(1);
  files.goOn();
  expect(await json<object>(importing)).toMatchObject({ nodes: 20_003, edges: newLinks.length });
  expect(await verdict()).toEqual(before);

  const ranking = ['trust', 'rank', '--release', 'new'];
  for (const step of ['finding the seeds', 'loading the rows', 'ranking 20003 domains']) {
    await killAt(installation, ranking, (output) => output.includes(step));
    expect(await verdict()).toEqual(before);
    expect(await json<object[]>(['trust', 'release', 'list'])).toMatchObject([
      { name: 'old', current: true },
      { name: 'new', current: false },
    ]);
  }
  await json<object>(ranking);
  // The server looks for a new release now and then.
  while ((await verdict()).release !== 'new') await Bun.sleep(50);
  expect(await verdict()).toMatchObject({ release: 'new', donors: 20_000 });
}, 300_000);
