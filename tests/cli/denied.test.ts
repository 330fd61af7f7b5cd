/** A data directory that belongs partly to another user: errors name the file and what to do. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dataDirProblem, readConfig } from '../../src/config/index.ts';

const main = resolve(import.meta.dir, '../../src/main.ts');
/** An ordinary user: root may do everything, so as root commands are run as another user. */
const ordinary = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
/** That user may have no access to the checkout. */
const canRun =
  Bun.spawnSync(['test', '-r', main, '-a', '-x', process.execPath], ordinary).exitCode === 0;

let dataDir: string;
const place = (name: string): string => join(dataDir, name);

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'zastava-denied-'));
  if (ordinary) await chown(dataDir, ordinary.uid, ordinary.gid);
});
afterEach(async () => {
  // A folder without permissions can't be read, not even by its owner in order to remove it.
  await chmod(place('trust'), 0o700).catch(() => undefined);
  await rm(dataDir, { recursive: true, force: true });
});

async function run(...words: string[]) {
  const child = Bun.spawn([process.execPath, '--no-env-file', main, ...words], {
    env: { ZASTAVA_DATA_DIR: dataDir, ZASTAVA_PORT: '0', ZASTAVA_OLLAMA: 'off', HOME: tmpdir() },
    cwd: tmpdir(),
    stdin: Buffer.from('models: []'),
    stdout: 'pipe',
    stderr: 'pipe',
    ...ordinary,
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

/** Takes the rights to a file away from the user who runs commands. */
async function deny(path: string): Promise<void> {
  if (ordinary) await chown(path, 0, 0);
  await chmod(path, ordinary ? 0o600 : 0);
}

describe.if(canRun)('a file of another user', () => {
  test.each([
    ['secret', ['serve']],
    ['zastava.sqlite', ['user', 'list']],
    ['zastava.sqlite', ['serve']],
    ['installation', ['serve']],
    ['node-0.lock', ['serve']],
    ['trust', ['trust', 'release', 'list']],
    ['trust', ['trust', 'check', '--offline', 'example.com']],
  ])('%s is named, with what to do: %j', async (name, words) => {
    expect(await run('catalogue', 'apply', '-')).toMatchObject({ code: 0 });
    if (name === 'trust') await mkdir(place(name));
    else if (!(await Bun.file(place(name)).exists())) await Bun.write(place(name), '');
    await deny(place(name));
    const { code, out, err } = await run(...words);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toStartWith(`zastava: ${place(name)}`);
    expect(err).toMatch(
      /: user \d+ may not use it \(it belongs to user \d+\): run this as [^\n]+\n$/,
    );
  });
});

describe('an error', () => {
  const config = () => readConfig({ ZASTAVA_DATA_DIR: dataDir });
  const denied = (path: string) => Object.assign(new Error('raw'), { code: 'EACCES', path });

  test('of a file in the data directory is explained, however deep the file lies', async () => {
    const path = place('images/0a');
    for (const error of [denied(path), new Error('outer', { cause: denied(path) })]) {
      const problem = await dataDirProblem(error, config());
      expect(problem?.message).toStartWith(`${path}: user `);
      expect(problem?.message).toContain('chown -R');
    }
  });

  test('of a read-only file system says so, and does not mention users', async () => {
    const path = place('secret');
    const error = Object.assign(new Error('raw'), { code: 'EROFS', path });
    const problem = await dataDirProblem(error, config());
    expect(problem?.message).toStartWith(`${path}: its file system is read-only: mount it`);
    expect(problem?.message).not.toContain('chown');
  });

  test('of another file, or of another kind, is not changed', async () => {
    const missing = Object.assign(new Error('raw'), { code: 'ENOENT', path: place('x') });
    for (const error of [denied('/elsewhere/x'), denied(`${dataDir}-2/x`), missing, 'text']) {
      expect(await dataDirProblem(error, config())).toBeUndefined();
    }
  });
});
