/** Functions that the sources never use, so that no request can reach them. */
import { expect, test } from 'bun:test';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dir, '..');

/** Starts the commands of jobs that admins request. */
const OWN_COMMANDS = 'src/trust/jobs/command-process.ts';
/** Starts the workers of ZASTAVA_WORKERS, which run the same program. */
const OWN_WORKERS = 'src/workers/worker-process.ts';

async function linesWith(pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  let files = 0;
  for await (const path of new Bun.Glob('src/**/*.ts').scan({ cwd: root })) {
    files++;
    const lines = (await Bun.file(join(root, path)).text()).split('\n');
    found.push(...lines.flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}`] : [])));
  }
  expect(files).toBeGreaterThan(100);
  return found;
}

test('the program starts no process but itself, and runs no text as code', async () => {
  const runs =
    /\bchild_process\b|\bBun\.(?:spawn|\$)|from 'bun'.*\$|\beval\(|\bnew Function\b|['"](?:node:)?vm['"]/;
  const lines = await linesWith(runs);
  const places = lines.map((line) => line.replace(/:\d+$/, ''));
  expect(places.toSorted()).toEqual([OWN_COMMANDS, OWN_WORKERS]);
  // The arguments are passed unchanged: no shell reads them.
  expect(await linesWith(/\bshell: |\bexecSync\b|\bexecFile/)).toEqual([]);
});

test('no secret comes from Math.random', async () => {
  const owners = (await linesWith(/\bMath\.random\b/)).filter((line) =>
    /src\/(?:users|images|lib\/ids|config|chat\/rooms)/.test(line),
  );
  expect(owners).toEqual([]);
});

test('no certificate goes unverified', async () => {
  expect(await linesWith(/rejectUnauthorized\W+false|NODE_TLS_REJECT_UNAUTHORIZED\W+=/)).toEqual(
    [],
  );
});

test('the page makes no text into HTML, and sets no style by text', async () => {
  const found: string[] = [];
  for await (const path of new Bun.Glob('web/**/*.{ts,tsx}').scan({ cwd: root })) {
    const text = await Bun.file(join(root, path)).text();
    if (/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|style="/i.test(text)) {
      found.push(path);
    }
  }
  expect(found).toEqual([]);
});
