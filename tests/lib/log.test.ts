/** A log that can't be written: no error reaches the work, and lost lines are counted and reported afterwards. */
import { expect, test } from 'bun:test';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendLine, createLog, lostLogLines } from '../../src/lib/log.ts';

test('a line for a full disk is dropped, and throws nothing', () => {
  const fd = openSync('/dev/full', 'w');
  try {
    const log = createLog('info', fd);
    const before = lostLogLines();
    log.info({ user: 1 }, 'first');
    log.error({ err: new Error('second') }, 'second');
    expect(lostLogLines() - before).toBe(2);
  } finally {
    closeSync(fd);
  }
});

/** A pipe that says when it is full, and can be emptied. */
async function openPipe() {
  const dir = mkdtempSync(join(tmpdir(), 'zastava-log-'));
  const path = join(dir, 'pipe');
  await Bun.$`mkfifo ${path}`;
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const bytes = Buffer.alloc(4 * 1024 * 1024);
  return {
    fd,
    empty(): string {
      let size = 0;
      for (;;) {
        try {
          size += readSync(fd, bytes, size, bytes.length - size, null);
        } catch {
          return bytes.toString('utf8', 0, size);
        }
      }
    },
    [Symbol.dispose]() {
      closeSync(fd);
      rmSync(dir, { recursive: true });
    },
  };
}

test('once lines can be written again, one of them says how many were dropped', async () => {
  using pipe = await openPipe();
  const log = createLog('info', pipe.fd);
  const before = lostLogLines();
  const padding = 'x'.repeat(10_000);
  let written = 0;
  for (; lostLogLines() === before; written++) log.info({ written, padding }, 'filling');
  log.info('lost as well');
  const first = pipe.empty();
  log.info('there again');
  log.info('and again');
  const lines = pipe.empty().split('\n').filter(Boolean);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, lost: 2, msg: 'log lines before this one could not be written' },
    { msg: 'there again' },
    { msg: 'and again' },
  ]);
  expect(first.split('\n').filter((line) => line.endsWith('}'))).toHaveLength(written - 1);
});

test('appended lines are written together, before any later line, or when the log is flushed', async () => {
  using pipe = await openPipe();
  const log = createLog('info', pipe.fd);
  appendLine(log, 'one\n');
  appendLine(log, 'two\n');
  expect(pipe.empty()).toBe('');
  log.info('three');
  const [one, two, three] = pipe.empty().split('\n');
  expect([one, two, JSON.parse(three ?? '').msg]).toEqual(['one', 'two', 'three']);
  appendLine(log, 'four\n');
  log.flush();
  expect(pipe.empty()).toBe('four\n');
});

test('appended lines that do not fit are counted, each as one', async () => {
  using pipe = await openPipe();
  const log = createLog('info', pipe.fd);
  const before = lostLogLines();
  const line = `${'x'.repeat(99)}\n`;
  let appended = 0;
  while (lostLogLines() === before) {
    appendLine(log, line);
    appended++;
  }
  log.flush();
  const written = pipe
    .empty()
    .split('\n')
    .filter((text) => text.length === 99).length;
  expect(lostLogLines() - before).toBe(appended - written);
  log.info('there again');
  const [notice = ''] = pipe.empty().split('\n');
  expect(JSON.parse(notice)).toMatchObject({ lost: appended - written });
});

test("the log has an error's message and stack, not the rows that a database adds to it", () => {
  const path = join(mkdtempSync(join(tmpdir(), 'zastava-log-')), 'log');
  const fd = openSync(path, 'w+');
  try {
    const error = Object.assign(new Error('null value', { cause: new Error('deeper') }), {
      code: 'ERR_POSTGRES_SERVER_ERROR',
      errno: '23502',
      detail: 'Failing row contains (a secret message)',
    });
    createLog('info', fd).error({ err: error }, 'request failed');
    const buffer = Buffer.alloc(100_000);
    const text = buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, 0));
    expect(JSON.parse(text)).toMatchObject({
      err: { type: 'Error', message: 'null value: deeper', errno: '23502' },
    });
    expect(JSON.parse(text).err.stack).toContain('log.test.ts');
    expect(text).not.toContain('secret');
  } finally {
    closeSync(fd);
    rmSync(join(path, '..'), { recursive: true });
  }
});
