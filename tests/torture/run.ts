/** `npm run torture`: the promises at full size. The seed of a run is printed and repeats it. */
import { readWords, refuse } from '../../scripts/read-words.ts';
import { dialects } from '../support/databases.ts';
import { stopPostgres } from '../support/postgres.ts';
import { campaigns } from './campaigns.ts';
import type { Campaign, Sizes } from './support/campaign.ts';

const USAGE = `npm run torture -- [NAME…] [--seed N] [--dialect ${dialects.join('|')}] [--time 0] [--SIZE N]
  --time 0  does not judge how long things take: for a machine that others use too
  NAME, with the sizes that it has:
${campaigns.map(({ promise, name, full }) => `  ${promise} ${name}: ${sizesText(full)}`).join('\n')}`;
const given = readWords(
  USAGE,
  Object.fromEntries(
    ['seed', 'dialect', 'time', ...campaigns.flatMap(({ full }) => Object.keys(full))].map(
      (name) => [name, { type: 'string' }] as const,
    ),
  ),
);
const options = new Map(Object.entries(given.values));
const names = given.positionals;
const seed = numberOf('seed') ?? Date.now() % 1_000_000_000;
const judgeTime = options.get('time') !== '0';
const unknown = names.filter(
  (word) => !campaigns.some(({ name, promise }) => word === name || word === promise),
);
if (unknown.length > 0) refuse(USAGE, `there is no promise ${unknown.join(', ')}`);
const wanted = campaigns.filter(
  ({ name, promise }) => names.length === 0 || names.includes(name) || names.includes(promise),
);
for (const campaign of wanted) await runOn(campaign);
await stopPostgres();
process.exit();

async function runOn(campaign: Campaign): Promise<void> {
  const { name, promise, title, run } = campaign;
  const sizes = sizesOf(campaign);
  console.log(`${promise} ${name}: ${title}`);
  for (const dialect of dialectsOf(campaign)) {
    const start = performance.now();
    const { figures, broken, notPossible } = await run({ dialect, seed, sizes, judgeTime });
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`  ${dialect}`, { ...sizes, ...figures });
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
    Object.entries(full).map(([name, size]) => [name, numberOf(name) ?? size]),
  );
}

function numberOf(name: string): number | undefined {
  const text = options.get(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : refuse(USAGE, `--${name} must be a number`);
}

function sizesText(full: Sizes): string {
  return Object.entries(full)
    .map(([name, size]) => `--${name} ${size}`)
    .join(' ');
}
