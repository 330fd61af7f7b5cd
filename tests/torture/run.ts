/**
 * `npm run torture`: the promises at full size. `npm run torture -- NAME [--seed N]` runs one; the seed of a
 * run is printed and repeats it.
 */
import { dialects, openTestDatabase } from '../support/databases.ts';
import { stopPostgres } from '../support/postgres.ts';
import { crash } from './crash.ts';
import { straceIsHere, traceOneSend } from './fsync-order.ts';

const KILLS = 200;
const IN_FLIGHT = 50;

const campaigns: Record<string, (seed: number) => Promise<boolean>> = {
  crash: runCrash,
  fsync: runFsync,
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
