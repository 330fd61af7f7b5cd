import { InvalidArgumentError, type Command } from 'commander';
import type { KeyLimits, UserLimits } from '../ledger/index.ts';
import type { Micro } from '../lib/money.ts';
import { rublesFrom, wholeNumberFrom } from './arguments.ts';
import { rubles } from './format.ts';

const MICRO_MIN: Micro = 1;
/** Removes a limit: the parser of the command line has no null. */
const NONE = 'none';

export type LimitOptions = {
  -readonly [Name in keyof KeyLimits]?: Exclude<KeyLimits[Name], null> | typeof NONE;
};

export function addUserLimitOptions(command: Command): Command {
  return command
    .option('--requests-per-minute <n>', 'sends that begin within a minute, or none', countOrNone)
    .option('--tokens-per-minute <n>', 'input and output together, or none', countOrNone)
    .option('--rubles-per-day <rub>', 'charged and held within a day, or none', rublesOrNone)
    .option('--models <ids>', 'the only models that may be used, by commas, or all', modelsOrAll);
}

export function addKeyLimitOptions(command: Command): Command {
  return addUserLimitOptions(command)
    .option('--rubles-per-month <rub>', 'the same within a calendar month, or none', rublesOrNone)
    .option('--rubles-total <rub>', 'the same in all, or none', rublesOrNone);
}

const limitOptions: readonly (keyof KeyLimits)[] = [
  'requestsPerMinute',
  'tokensPerMinute',
  'rublesPerDay',
  'rublesPerMonth',
  'rublesTotal',
  'models',
];

/** The limits that were given, with null for those to be removed. */
export function limitsIn(options: LimitOptions): Partial<KeyLimits> {
  const given = limitOptions.filter((name) => options[name] !== undefined);
  return Object.fromEntries(
    given.map((name) => [name, options[name] === NONE ? null : options[name]]),
  );
}

export function limitFields({
  requestsPerMinute,
  tokensPerMinute,
  rublesPerDay,
  models,
}: UserLimits): Record<string, string> {
  return {
    'requests a minute': String(requestsPerMinute ?? 'no limit'),
    'tokens a minute': String(tokensPerMinute ?? 'no limit'),
    'rubles a day': rublesPerDay === null ? 'no limit' : rubles(rublesPerDay),
    models: models?.join(', ') ?? 'all',
  };
}

export function keyLimitFields(limits: KeyLimits): Record<string, string> {
  const { rublesPerMonth, rublesTotal } = limits;
  const { models = 'all', ...others } = limitFields(limits);
  return {
    ...others,
    'rubles a month': rublesPerMonth === null ? 'no limit' : rubles(rublesPerMonth),
    'rubles in all': rublesTotal === null ? 'no limit' : rubles(rublesTotal),
    models,
  };
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
