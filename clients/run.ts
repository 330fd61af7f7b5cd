/**
 * Installs the newest clients from their registries into a temporary folder, runs each against a fresh gateway whose
 * providers are played by a script, and writes docs/clients-tested.md.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readWords, refuse } from '../scripts/read-words.ts';
import { dateOf } from '../src/lib/days.ts';
import { tryAgent } from './agents.ts';
import { tryDocument } from './document.ts';
import type { Result } from './cells.ts';
import { type Driver, readDrivers } from './drivers.ts';
import { startGateway } from './gateway.ts';
import { install } from './install.ts';
import { Recorder } from './recorder.ts';
import { tableText } from './table.ts';
import { exitCode, stopping } from './stopping.ts';
import { type Place, tryLibrary } from './try.ts';
import { Upstream } from './upstream/server.ts';

const RESULTS = join(import.meta.dir, 'results.json');
const TABLE = join(import.meta.dir, '../docs/clients-tested.md');

const USAGE = `npm run clients                            all clients, the newest of each
npm run clients -- NAME… [--keep FOLDER]   those with a word in their names, such as openai, or 'crewai (Python)';
                                           FOLDER keeps the installations for the next run`;
const { values, positionals } = readWords(USAGE, { keep: { type: 'string' } });
const isWanted = ({ client }: Driver) =>
  positionals.length === 0 ||
  positionals.some((words) => client.split(/[ ,]+/).includes(words) || client === words);
const drivers = await readDrivers();
if (!drivers.some(isWanted)) {
  const known = drivers.map(({ client }) => client).join('\n  ');
  refuse(USAGE, `no client is named ${positionals.join(', ')}; there are:\n  ${known}`);
}

const folder = await mkdtemp(join(tmpdir(), 'zastava-clients-'));
const installations = values.keep === undefined ? join(folder, 'installed') : resolve(values.keep);
const upstream = new Upstream();
const upstreamUrl = await upstream.start();
let tried = 0;
try {
  for (const driver of drivers.filter(isWanted)) {
    console.log(`— ${driver.client}`);
    const result = await withGateway((place) => resultOf(driver, place));
    // Cells that a signal broke off are no verdict on the client.
    if (stopping.aborted) break;
    await keep(result);
    report(result);
  }
} catch (error) {
  // The end of a process may be reported before the signal that ended it and this one.
  await new Promise(setImmediate);
  if (!stopping.aborted) throw error;
} finally {
  upstream.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(exitCode());

/** Each client gets a fresh gateway: it must not depend on what an earlier one taught the gateway about a model. */
async function withGateway<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const directory = join(folder, `gateway-${++tried}`);
  upstream.signers.clear();
  const gateway = await startGateway(directory, upstreamUrl);
  const recorder = new Recorder(gateway.url);
  try {
    return await work({ gateway, recorder, upstream });
  } finally {
    await recorder.stop();
    await gateway.stop();
    await reportErrors(join(directory, 'server.log'));
  }
}

async function resultOf(driver: Driver, place: Place): Promise<Result> {
  const { client, kind, clientsFault } = driver;
  const date = dateOf(Date.now());
  const about = { client, kind, date, clientsFault };
  try {
    const installed = await install(driver, installations, place.recorder.url);
    const attempt = { sdk: tryLibrary, agent: tryAgent, document: tryDocument }[kind];
    const outcomes = await attempt(installed, place);
    return {
      ...about,
      version: installed.version,
      outcomes: withoutPaths(outcomes, installed.folder),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...about, version: '—', outcomes: {}, untried: reason };
  }
}

/** Notes stand in the table, where a folder of this machine means nothing. */
function withoutPaths(outcomes: Result['outcomes'], path: string): Result['outcomes'] {
  return JSON.parse(JSON.stringify(outcomes).replaceAll(path, '.')) as Result['outcomes'];
}

/** An internal error of the gateway is worth its stack, whatever the client made of it. */
async function reportErrors(log: string): Promise<void> {
  for (const line of (await Bun.file(log).text()).split('\n')) {
    if (line.includes('"level":50')) console.log(line);
  }
}

/** Other clients keep the results that they have. */
async function keep(result: Result): Promise<void> {
  const file = Bun.file(RESULTS);
  const before = (await file.exists()) ? ((await file.json()) as Result[]) : [];
  const others = drivers
    .filter(({ client }) => client !== result.client)
    .map((driver) => before.find(({ client }) => client === driver.client) ?? untried(driver));
  const results = [...others, result].toSorted((a, b) => a.client.localeCompare(b.client, 'en'));
  await Bun.write(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
  await Bun.write(TABLE, tableText(results));
}

function untried({ client, kind, clientsFault }: Driver): Result {
  return { client, kind, version: '—', date: '—', outcomes: {}, clientsFault, untried: 'not yet' };
}

function report({ version, outcomes, untried: reason }: Result): void {
  console.log(`  ${version} ${reason ?? ''}`);
  for (const [cell, byModel] of Object.entries(outcomes)) {
    for (const [model, { verdict, note }] of Object.entries(byModel)) {
      if (verdict === 'fails' || verdict === 'refused')
        console.log(`  ${verdict} ${cell} ${model}: ${note}`);
    }
  }
}
