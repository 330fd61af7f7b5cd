/**
 * Repeats the statements that a server ran, on a copy of its SQLite file, and nothing else. Reads the file of the
 * statements and a path for the copy as JSON from standard input, prints a `Repeated`.
 */
import { Database, type Statement } from 'bun:sqlite';
import { copyFileSync, readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { copyBeside, type Ran, type Recorded } from './record-statements.ts';

export interface Repeated {
  /** Processor time of the measured part, user and system. */
  micros: number;
  /** Transactions of that part that wrote data. */
  transactions: number;
}

const { statements, copy } = (await Bun.stdin.json()) as { statements: string; copy: string };
copyFileSync(copyBeside(statements), copy);
const { texts, ran, before } = deserialize(readFileSync(statements)) as Recorded;
const handles: { db: Database; prepared: Statement[] }[] = [];

function repeat([number, text, isRead, params]: Ran): void {
  const handle = (handles[number] ??= { db: new Database(copy), prepared: [] });
  const statement = (handle.prepared[text] ??= handle.db.prepare(texts[text] ?? ''));
  if (isRead) statement.all(...(params as []));
  else statement.run(...(params as []));
}

for (const each of ran.slice(0, before)) repeat(each);
const measured = ran.slice(before);
const start = process.cpuUsage();
for (const each of measured) repeat(each);
const { user, system } = process.cpuUsage(start);
const begin = texts.indexOf('BEGIN IMMEDIATE');
const transactions = measured.filter(([, text]) => text === begin).length;
console.log(JSON.stringify({ micros: user + system, transactions } satisfies Repeated));
process.exit(0);
