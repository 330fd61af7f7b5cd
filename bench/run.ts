/**
 * The benchmark. Prints each table and writes it to bench/results.md.
 */
import { compile, installedFile } from '../scripts/compile.ts';
import { readWords, refuse } from '../scripts/read-words.ts';
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

const USAGE = `npm run bench -- [NAME…] [--full] [--peers]
  NAME     one of ${measures.map((measure) => measure.name).join(', ')}; without one, all
  --full   at full size
  --peers  s1, s2 and s3 beside further gateways, in fewer rounds; their books are compared`;
const { values, positionals } = readWords(USAGE, {
  full: { type: 'boolean' },
  peers: { type: 'boolean' },
});
const { full = false, peers: withPeers = false } = values;
if (withPeers) measures.push(money);
const names = positionals.map((name) => name.toLowerCase());
const unknown = names.filter((name) => !measures.some((measure) => measure.name === name));
if (unknown.length > 0) {
  refuse(USAGE, `there is no measure ${unknown.join(', ')}`);
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
