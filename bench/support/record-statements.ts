/**
 * Loaded into a server before its own code (`--preload`): keeps a copy of its SQLite file from before the start,
 * records every statement that succeeds on that file, and writes them to BENCH_STATEMENTS when the process ends. From
 * SIGUSR2 on, they are part of the measurement.
 */
import { Database } from 'bun:sqlite';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';

/** A statement that ran, by the number of its connection and of its text. */
export type Ran = [handle: number, text: number, isRead: boolean, params: unknown[]];

export interface Recorded {
  texts: string[];
  ran: Ran[];
  /** How many statements ran before the measurement. */
  before: number;
}

/** The copy, which is next to the statements. */
export const copyBeside = (statements: string): string => `${statements}.sqlite`;

const statements = process.env['BENCH_STATEMENTS'];
if (statements !== undefined) record(statements);

type Prepare = Database['prepare'];

function record(file: string): void {
  const database = join(process.env['ZASTAVA_DATA_DIR'] ?? '', 'zastava.sqlite');
  copyFileSync(database, copyBeside(file));
  const handles = new Map<Database, number>();
  const texts = new Map<string, number>();
  const recorded: Recorded = { texts: [], ran: [], before: 0 };
  const original = Object.getOwnPropertyDescriptor(Database.prototype, 'prepare')?.value as Prepare;
  Database.prototype.prepare = function (this: Database, ...given: Parameters<Prepare>) {
    const statement = original.apply(this, given);
    if (this.filename !== database) return statement;
    const [handle, text] = [numberIn(handles, this), numberIn(texts, given[0])];
    for (const method of ['run', 'all'] as const) {
      const run = statement[method].bind(statement) as (...params: unknown[]) => unknown;
      Object.defineProperty(statement, method, {
        value: (...params: unknown[]) => {
          const result = run(...params);
          recorded.ran.push([handle, text, method === 'all', params]);
          return result;
        },
      });
    }
    return statement;
  } as Prepare;
  process.on('SIGUSR2', () => (recorded.before = recorded.ran.length));
  process.on('exit', () => {
    recorded.texts = [...texts.keys()];
    writeFileSync(file, serialize(recorded));
  });
}

function numberIn<T>(known: Map<T, number>, key: T): number {
  const number = known.get(key) ?? known.size;
  known.set(key, number);
  return number;
}
