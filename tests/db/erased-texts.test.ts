/** Deleted data is erased from SQLite's file, not only from its tables. */
import { describe, expect, test } from 'bun:test';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../src/db/sqlite.ts';

const SECRET = 'a text that shall leave no trace';

describe('a deleted text', () => {
  test.each([
    ['DELETE FROM notes', 'deleted'],
    [`UPDATE notes SET body = ''`, 'replaced'],
  ])('%s: is not in the file any more', async (statement) => {
    const directory = await mkdtemp(join(tmpdir(), 'zastava-erased-'));
    const path = join(directory, 'a.sqlite');
    const before = join(directory, 'before.sqlite');
    try {
      const write = async (text: string, params: string[] = []) => {
        const db = openSqlite({ kind: 'sqlite', path });
        await db.transaction((tx) => tx.query(text, params));
        // Closing moves the write-ahead log into the file.
        await db.close();
      };
      await write('CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL)');
      for (const times of [1, 40, 400]) {
        await write('INSERT INTO notes (body) VALUES ($1)', [`${SECRET}. `.repeat(times)]);
      }
      await copyFile(path, before);
      await write(statement);
      expect((await readFile(before)).includes(SECRET)).toBe(true);
      expect((await readFile(path)).includes(SECRET)).toBe(false);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
