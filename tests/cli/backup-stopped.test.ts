/** A backup or a restore that is stopped or killed half-way leaves a complete file or none. */
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { acquireProcessLock, backupSqlite, restoreSqlite } from '../../src/db/index.ts';
import { failure } from '../support/failure.ts';
import { becomesTrue } from '../torture/support/until.ts';
import { launcher, openInstallation, type Installation } from './installation.ts';

/** Large enough that copying it takes longer than signalling the process. */
const BLOB_BYTES = 10_000_000;

const WRITES_WITHIN_MS = 240_000;

async function large(): Promise<Installation & { database: string }> {
  const installation = await openInstallation();
  await installation.run(['user', 'add', 'ivan']);
  const database = join(installation.dir, 'data', 'zastava.sqlite');
  using db = new Database(database);
  for (const name of ['a', 'b', 'c']) {
    db.run('INSERT INTO settings (name, value) VALUES (?1, hex(randomblob(?2)))', [
      name,
      BLOB_BYTES,
    ]);
  }
  return { ...installation, database };
}

/** Runs a command until a partial file in a directory has bytes, then ends it. */
async function endInTheMiddle(
  { env, dir }: Installation,
  words: readonly string[],
  directory: string,
  signal: NodeJS.Signals,
): Promise<{ code: number | null; err: string }> {
  const child = Bun.spawn([...launcher, ...words], {
    env,
    cwd: dir,
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const hasBegun = () => partsIn(directory).some((name) => sizeOf(join(directory, name)) > 0);
  await becomesTrue(() => child.exitCode !== null || hasBegun(), WRITES_WITHIN_MS);
  child.kill(signal);
  const err = await new Response(child.stderr).text();
  await child.exited;
  return { code: child.exitCode, err };
}

/** Names of files that are not complete. */
function partsIn(directory: string): string[] {
  return existsSync(directory)
    ? readdirSync(directory).filter((name) => name.endsWith('.part'))
    : [];
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

describe('sqlite: a command that is interrupted', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`a backup leaves no files after ${signal}`, async () => {
      await using installation = await large();
      const { dir, run } = installation;
      const file = join(dir, 'bk');
      const { code, err } = await endInTheMiddle(installation, ['backup', file], dir, signal);
      expect(err).toBe('zastava: stopped before the end: nothing was written\n');
      expect(code).toBe(1);
      expect((await readdir(dir)).toSorted()).toEqual(['data']);
      expect((await run(['backup', file])).code).toBe(0);
    });
  }

  test('the next backup removes what a killed one left, whatever its name', async () => {
    await using installation = await large();
    const { dir, run } = installation;
    for (const name of ['monday', 'tuesday']) {
      await endInTheMiddle(installation, ['backup', join(dir, 'monday')], dir, 'SIGKILL');
      expect(existsSync(join(dir, 'monday'))).toBe(false);
      expect(partsIn(dir)).toHaveLength(1);
      expect((await run(['backup', join(dir, name)])).code).toBe(0);
      expect((await readdir(dir)).toSorted()).toEqual(['data', name]);
      await rm(join(dir, name));
    }
  });

  test('a copy that cannot be written names its source and target', async () => {
    await using installation = await openInstallation();
    const { dir, env, run } = installation;
    await run(['user', 'add', 'ivan']);
    const [source, file] = [join(dir, 'data', 'zastava.sqlite'), join(dir, 'bk')];
    // The shell limits files to 100 or 200 KiB, so larger ones can't be written, as on a full disk.
    const limited = async (words: string[], dataDir: string) => {
      const child = Bun.spawn(
        ['sh', '-c', 'ulimit -f 200; exec "$@"', 'sh', ...launcher, ...words],
        {
          env: { ...env, ZASTAVA_DATA_DIR: dataDir },
          stdout: 'ignore',
          stderr: 'pipe',
        },
      );
      const err = await new Response(child.stderr).text();
      expect(await child.exited).toBe(1);
      return err;
    };
    const unwritten = await limited(['backup', file], join(dir, 'data'));
    expect(unwritten).toStartWith(`zastava: can't copy ${source} to ${file}: `);
    expect((await readdir(dir)).toSorted()).toEqual(['data']);
    expect((await run(['backup', file])).code).toBe(0);
    const restored = join(dir, 'restored', 'zastava.sqlite');
    const unrestored = await limited(['restore', file], dirname(restored));
    expect(unrestored).toStartWith(`zastava: can't copy ${file} to ${restored}: `);
    expect((await readdir(dir)).toSorted()).toEqual(['bk', 'data']);
  });

  test('a backup does not touch what another one is writing', async () => {
    await using installation = await openInstallation();
    const { dir, run } = installation;
    await run(['user', 'add', 'ivan']);
    const backup = join(dir, 'backups', 'monday');
    await mkdir(dirname(backup));
    expect((await run(['backup', backup])).code).toBe(0);
    const name = await readFile(join(dir, 'data', 'installation'), 'utf8');
    const part = `zastava-${name}.part`;
    const other = acquireProcessLock(join(dir, 'data', 'backup.lock'));
    await writeFile(join(dirname(backup), part), 'of another backup');
    expect((await run(['backup', join(dirname(backup), 'tuesday')])).code).toBe(0);
    const names = async () => (await readdir(dirname(backup))).toSorted();
    expect(await names()).toEqual(['monday', 'tuesday', part]);
    other?.release();
    expect((await run(['backup', join(dirname(backup), 'wednesday')])).code).toBe(0);
    expect(await names()).toEqual(['monday', 'tuesday', 'wednesday']);
  });

  test('a restore leaves no database, and can be repeated', async () => {
    await using installation = await large();
    const { dir, run } = installation;
    const file = join(dir, 'bk');
    expect((await run(['backup', file])).code).toBe(0);
    const data = join(dir, 'restored');
    const other = { ...installation, env: { ...installation.env, ZASTAVA_DATA_DIR: data } };
    const target = join(data, 'zastava.sqlite');
    const words = ['restore', file];
    const { code } = await endInTheMiddle(other, words, data, 'SIGTERM');
    expect(code).toBe(1);
    expect(existsSync(data)).toBe(false);
    await endInTheMiddle(other, words, data, 'SIGKILL');
    expect(existsSync(target)).toBe(false);
    expect((await run(words, { env: other.env })).code).toBe(0);
    expect(existsSync(`${target}.part`)).toBe(false);
  });
});

describe('sqlite: names of copies', () => {
  test('a file that appears meanwhile is not replaced, and two commands do not mix', async () => {
    await using installation = await openInstallation();
    await installation.run(['user', 'add', 'ivan']);
    const source = join(installation.dir, 'data', 'zastava.sqlite');
    const file = join(installation.dir, 'bk');
    // Awaited from the beginning, as it may see the file before it starts.
    const refusal = failure(backupSqlite(source, file));
    await writeFile(file, 'precious');
    expect(String(await refusal)).toContain('exists already');
    expect(await Bun.file(file).text()).toBe('precious');

    const second = join(installation.dir, 'second');
    const both = await Promise.allSettled([
      backupSqlite(source, second),
      backupSqlite(source, second),
    ]);
    const made = both.filter(({ status }) => status === 'fulfilled').length;
    expect(existsSync(second)).toBe(made > 0);
    expect(made).toBeLessThan(2);
    const whole = made > 0 ? second : join(installation.dir, 'third');
    if (made === 0) await backupSqlite(source, whole);
    expect(await restoreSqlite(whole, join(installation.dir, 'restored'))).toBeGreaterThan(0);
  });

  test('leftovers of a killed run do not get into the next copy', async () => {
    await using installation = await openInstallation();
    await installation.run(['user', 'add', 'ivan']);
    const source = join(installation.dir, 'data', 'zastava.sqlite');
    const file = join(installation.dir, 'bk');
    for (const suffix of ['', '-journal', '-wal', '-shm']) {
      await writeFile(`${file}.part${suffix}`, 'of a run that died');
    }
    await backupSqlite(source, file);
    expect((await readdir(installation.dir)).toSorted()).toEqual(['bk', 'data']);
    expect(await restoreSqlite(file, join(installation.dir, 'restored'))).toBeGreaterThan(0);
  });
});
