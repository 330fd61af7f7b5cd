/**
 * `npm run torture`: the promises at full size. `npm run torture -- NAME… [--seed N] [--dialect sqlite]` runs some, by
 * name or number (`crash`, `R1`), and `--SIZE N` changes one of their sizes. The seed of a run is printed and repeats
 * it.
 */
import { dialects } from '../support/databases.ts';
import { stopPostgres } from '../support/postgres.ts';
import { campaigns } from './campaigns.ts';
import type { Campaign, Sizes } from './support/campaign.ts';

const { options, names } = readArguments(process.argv.slice(2));
const seed = Number(options.get('seed') ?? Date.now() % 1_000_000_000);
/** `--time 0` on a machine that others use too. */
const judgeTime = options.get('time') !== '0';
const wanted = campaigns.filter(
  ({ name, promise }) => names.length === 0 || names.includes(name) || names.includes(promise),
);
if (wanted.length === 0) {
  console.error(`no such promise; there are: ${campaigns.map(({ name }) => name).join(', ')}`);
  process.exitCode = 2;
}
for (const campaign of wanted) await runOn(campaign);
await stopPostgres();
process.exit();

async function runOn(campaign: Campaign): Promise<void> {
  const { name, promise, title, run } = campaign;
  const sizes = sizesOf(campaign);
  console.log(`${promise} ${name}: ${title}`);
  for (const dialect of dialectsOf(campaign)) {
    const start = performance.now();
    const { told, broken, notPossible } = await run({ dialect, seed, sizes, judgeTime });
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`  ${dialect}`, { ...sizes, ...told });
    for (const line of broken) console.log(`  BROKEN ${line}`);
    if (notPossible !== undefined) console.log(`  not possible here: ${notPossible}`);
    console.log(`  ${broken.length === 0 ? 'holds' : 'BROKEN'} (seed ${seed}, ${seconds} s)`);
    if (broken.length > 0) process.exitCode = 1;
  }
}

function dialectsOf({ dialects: sensible = dialects }: Campaign) {
  const only = options.get('dialect');
  return sensible.filter((dialect) => dialects.includes(dialect) && (only ?? dialect) === dialect);
}

function sizesOf({ full }: Campaign): Sizes {
  return Object.fromEntries(
    Object.entries(full).map(([name, size]) => [name, Number(options.get(name) ?? size)]),
  );
}

/** `--name value` pairs, and the words between them. */
function readArguments(words: readonly string[]) {
  const read = { options: new Map<string, string>(), names: [] as string[] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word.startsWith('--')) read.options.set(word.slice(2), words[++at] ?? '');
    else read.names.push(word);
  }
  return read;
}
