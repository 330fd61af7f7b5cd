/** The thread that copies and checks databases; `copy-thread.ts` starts it. */
import { Database } from 'bun:sqlite';
import { messageOf } from '../lib/errors.ts';
import type { Checked, CopyAnswer, CopyRequest } from './copy-thread.ts';

declare const self: Worker;

self.addEventListener('message', ({ data }: MessageEvent<CopyRequest>) => {
  self.postMessage(answer(data), []);
});

function answer(request: CopyRequest): CopyAnswer {
  try {
    return request.kind === 'check' ? { checked: check(request.path) } : copy(request);
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

function copy({ source, part }: CopyRequest & { kind: 'copy' }): CopyAnswer {
  using database = new Database(source, { readonly: true });
  database.run('VACUUM INTO ?1', [part]);
  return {};
}

function check(path: string): Checked {
  using database = new Database(path, { readonly: true });
  const integrity = database.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)');
  const problem = integrity.get()?.integrity_check ?? 'no answer';
  return { problem, schema: schemaOf(database) };
}

function schemaOf(database: Database): number | undefined {
  const tables = database
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE name IN ('migrations', 'users')`,
    )
    .all();
  if (tables.length < 2) return undefined;
  return database.query<{ n: number }, []>('SELECT MAX(number) AS n FROM migrations').get()?.n;
}
