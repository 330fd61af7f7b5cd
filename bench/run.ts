/**
 * The benchmark. Usage: run.ts [--full] [--peers] [NAME…], e.g. `npm run bench -- s1`; without a name, all of it.
 * With --peers, s1, s2 and s3 have further gateways beside them, in fewer rounds, and their books are compared.
 * Prints each table and writes it to bench/results.md.
 */
import { compile, installedFile } from '../scripts/compile.ts';
import { startPeers } from './peers/all.ts';
import { money } from './peers/money.ts';
import { reportOfYear } from './report-of-a-year.ts';
import { sends } from './s1-send.ts';
import { openLoad } from './s10-open.ts';
import { small } from './s11-small.ts';
import { workers } from './s12-workers.ts';
import { statementsAlone } from './s13-statements.ts';
import { latency } from './s2-latency.ts';
import { streams } from './s3-stream.ts';
import { growth } from './s4-growth.ts';
import { postgres } from './s5-postgres.ts';
import { startAndMemory } from './s6-start-memory.ts';
import { pageRankSpeed } from './s7-pagerank.ts';
import { graphImport } from './s8-import.ts';
import { trustRecords } from './s9-lookup.ts';
import { updateDocuments } from './support/documents.ts';
import { describeRun } from './support/machine.ts';
import { stopAll } from './support/processes.ts';
import { render, writeResult } from './support/report.ts';
import { webPage } from './web/measure.ts';
import { yearOfBooks } from './year-of-books.ts';

const measures = [
  sends,
  latency,
  streams,

  growth,
  postgres,
  startAndMemory,
  pageRankSpeed,
  graphImport,
  trustRecords,
  openLoad,
  small,
  workers,
  statementsAlone,
  webPage,
  yearOfBooks,
  reportOfYear,
];

const given = process.argv.slice(2);
const withPeers = given.includes('--peers');
const full = given.includes('--full');
if (withPeers) measures.push(money);
const names = given.filter((word) => !word.startsWith('--')).map((name) => name.toLowerCase());
const unknown = names.filter((name) => !measures.some((measure) => measure.name === name));
if (unknown.length > 0) {
  const known = measures.map((measure) => measure.name).join(', ');
  console.error(`there is no measure ${unknown.join(', ')}; there are: ${known}`);
  process.exit(2);
}
const chosen = measures.filter(
  (measure) =>
    names.length === 0 || names.includes(measure.name) || (measure === money && withPeers),
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void stopAll().finally(() => process.exit(130)));
}

// Measures the result of `npm ci`, even if sources have changed since.
await compile(installedFile);
const run = describeRun();
console.log(`${run}\n`);
let failed = false;
const progress = (line: string): void => console.error(line);
const peers = withPeers ? await startPeers(progress) : undefined;
for (const measure of chosen) {
  try {
    const report = await measure.run({ full, progress, peers });
    console.log(`\n${render(report)}\n`);
    await writeResult(report, run);
    await updateDocuments();
  } catch (error) {
    failed = true;
    console.error(`${measure.name} failed:`, error);
    // Peers run until the end of the run.
    if (!peers) await stopAll();
  }
}
await peers?.[Symbol.asyncDispose]();
process.exit(failed ? 1 : 0);
