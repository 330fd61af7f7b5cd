import { InvalidArgumentError, type Command } from 'commander';
import { checkModelIds, limitsView } from '../chat/index.ts';
import type { UserLimits } from '../ledger/index.ts';
import type { Micro } from '../lib/money.ts';
import { rublesFrom, wholeNumberFrom } from './arguments.ts';
import type { CliContext } from './context.ts';
import { pairs } from './table.ts';
import { defineForUser, limitFields, withUser } from './user-view.ts';

/** The least amount, a micro-ruble. */
const MICRO_MIN: Micro = 1;
/** Removes a limit. The parser of the command line has no null. */
const NONE = 'none';

interface Options {
  requestsPerMinute?: number | typeof NONE;
  tokensPerMinute?: number | typeof NONE;
  rublesPerDay?: number | typeof NONE;
  models?: number[] | typeof NONE;
}

export function userQuota(user: Command, context: CliContext): void {
  defineForUser(
    user,
    'quota',
    'set or show how much a user may use; an option left out changes nothing',
    [
      'zastava user quota ivan',
      'zastava user quota ivan --requests-per-minute 60 --rubles-per-day 500',
      'zastava user quota ivan --models 101,102 --tokens-per-minute none',
    ],
  )
    .option('--requests-per-minute <n>', 'sends that begin within a minute, or none', countOrNone)
    .option('--tokens-per-minute <n>', 'input and output together, or none', countOrNone)
    .option('--rubles-per-day <rub>', 'charged and held within a day of UTC, or none', rublesOrNone)
    .option('--models <ids>', 'the only models that may be used, by commas, or all', modelsOrAll)
    .action((login: string, options: Options) => run(context, login, options));
}

async function run(context: CliContext, given: string, options: Options): Promise<void> {
  const changes: Partial<UserLimits> = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, value === NONE ? null : value]),
  );
  await withUser(context, given, async ({ id, login }, { limits, catalogue }) => {
    if (changes.models) checkModelIds(catalogue, changes.models);
    const isChange = Object.keys(changes).length > 0;
    const after = isChange ? await limits.set(id, changes) : await limits.get(id);
    await context.output.data(
      { login, limits: limitsView(after) },
      pairs({ login, ...limitFields(after) }),
    );
  });
}

function countOrNone(text: string): number | typeof NONE {
  return text === NONE ? NONE : wholeNumberFrom(1)(text);
}

function rublesOrNone(text: string): number | typeof NONE {
  return text === NONE ? NONE : rublesFrom(MICRO_MIN)(text);
}

function modelsOrAll(text: string): number[] | typeof NONE {
  if (text === 'all') return NONE;
  const ids = text.split(',').map((id) => id.trim());
  if (ids.every((id) => /^\d{1,9}$/.test(id))) return ids.map(Number);
  throw new InvalidArgumentError(
    'Give ids of models with commas between, such as 101,102, or all.',
  );
}
