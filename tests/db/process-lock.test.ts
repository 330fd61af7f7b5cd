/** A lock that ends with its process. */
import { describe, expect, test } from 'bun:test';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireProcessLock } from '../../src/db/index.ts';

async function inDirectory(run: (path: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'zastava-lock-'));
  try {
    await run(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

describe('a process lock', () => {
  test('is held by one process at a time', () =>
    inDirectory(async (directory) => {
      const path = join(directory, 'a.lock');
      const first = acquireProcessLock(path);
      expect(first).toBeDefined();
      expect(acquireProcessLock(path)).toBeUndefined();
      first?.release();
      const second = acquireProcessLock(path);
      expect(second).toBeDefined();
      second?.release();
      await Promise.resolve();
    }));

  test('has the same place for its next owner, and a copy has another one', () =>
    inDirectory(async (directory) => {
      const path = join(directory, 'a.lock');
      const first = acquireProcessLock(path);
      first?.release();
      const next = acquireProcessLock(path);
      await cp(path, `${path}.copy`, { preserveTimestamps: true });
      const copy = acquireProcessLock(`${path}.copy`);
      expect(first?.place).toMatch(/^[0-9a-f]{32}$/);
      expect(next?.place).toBe(first?.place ?? '');
      expect(copy?.place).not.toBe(first?.place ?? '');
      next?.release();
      copy?.release();
    }));
});
