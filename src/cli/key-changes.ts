import { InvalidArgumentError, Option, type Command } from 'commander';
import { apiKeyView, checkModelIds } from '../chat/index.ts';
import type { Core } from '../core.ts';
import { noKeyLimits, type KeyBudget } from '../ledger/index.ts';
import { toUnixSeconds } from '../lib/clock.ts';
import { ROTATION_OVERLAP_MS, type ApiKey } from '../users/index.ts';
import { expiryArgument } from './arguments.ts';
import { commandAct, define, onCore, type CliContext } from './context.ts';
import { rubles, time } from './format.ts';
import {
  addKeyLimitOptions,
  keyLimitFields,
  limitsIn,
  type LimitOptions,
} from './limit-options.ts';
import { pairs } from './table.ts';

const NEVER = 'never';
const NO_TAG = 'none';

interface ChangeOptions extends LimitOptions {
  expires?: number | typeof NEVER;
  tag?: string[];
}

export function keyChangeCommands(group: Command, context: CliContext): void {
  const limit = define(
    group,
    'limit',
    'set or show how much an API key may use; an option left out changes nothing',
    [
      'zastava key limit 5f0c2a9be1d34c77',
      'zastava key limit 5f0c2a9be1d34c77 --rubles-per-month 500 --rubles-total 2000',
      'zastava key limit 5f0c2a9be1d34c77 --models all --expires never --tag none',
    ],
  ).argument('<key-id>', 'as key list shows it');
  addKeyLimitOptions(limit)
    .option('--expires <date>', 'its last day (UTC), or a moment, or never', expiryOrNever)
    .addOption(tagOption(`; ${NO_TAG} removes all`))
    .action(
      onCore(context, async (core, id: string, options: ChangeOptions) => {
        const { userId } = await core.keys.get(id);
        const { expires, tag } = options;
        const budget = budgetIn(core, userId, options);
        if (expires !== undefined || tag || budget) {
          await core.keyChanges.change(userId, id, {
            expiresAt: expires === NEVER ? null : expires,
            tags: tag?.filter((word) => word !== NO_TAG),
            budget,
            act: commandAct(core, 'key_changed'),
          });
        }
        const [key, after] = [await core.keys.get(id), await core.budgets.get(id)];
        return [apiKeyView(key, after), pairs(fieldsOf(key, after))];
      }),
    );
  define(group, 'rotate', 'give an API key a new secret; it is printed only once', [
    'zastava key rotate 5f0c2a9be1d34c77',
    'zastava key rotate 5f0c2a9be1d34c77 --old-until 7d',
    'zastava key rotate 5f0c2a9be1d34c77 --old-until 2030-12-31',
  ])
    .argument('<key-id>', 'as key list shows it')
    .option(
      '--old-until <when>',
      'how long the former secret still works: a duration such as 12h or 7d, 0, a day (UTC) or a moment; absent: 24h',
      untilArgument,
    )
    .action(
      onCore(context, async (core, id: string, { oldUntil }: { oldUntil?: Until }) => {
        const { userId } = await core.keys.get(id);
        const now = core.clock.now();
        const ends = (oldUntil ?? ((at: number) => at + ROTATION_OVERLAP_MS))(now);
        const { key } = await core.keyChanges.rotate(userId, id, {
          oldUntil: ends,
          act: commandAct(core, 'key_rotated'),
        });
        return [
          { id, key, old_until: toUnixSeconds(ends) },
          pairs({ id, key, 'former secret ends': time(ends) }),
          {
            made: `the API key ${id} has a new secret`,
            lost: `its text is lost: zastava key rotate ${id}, once more`,
          },
        ];
      }),
    );
}

/** Several words, each given by a separate option. */
export function tagOption(more = ''): Option {
  return new Option(
    '--tag <word>',
    `a word by which you group keys; may be repeated${more}`,
  ).argParser((word: string, words: string[] | undefined) => [...(words ?? []), word]);
}

/** The limits among the options of a command, checked. */
export function budgetIn({ budgets, catalogue }: Core, userId: number, options: LimitOptions) {
  const changes = limitsIn(options);
  if (changes.models) checkModelIds(catalogue, changes.models);
  return budgets.change(userId, changes);
}

function fieldsOf(key: ApiKey, budget: KeyBudget | undefined): Record<string, string> {
  const used = budget && {
    'used today': rubles(budget.used.day),
    'used this month': rubles(budget.used.month),
    'used in all': rubles(budget.used.total),
    held: rubles(budget.used.held),
  };
  return {
    id: key.id,
    name: key.name,
    tags: key.tags.join(' '),
    expires: time(key.expiresAt),
    ...keyLimitFields(budget?.limits ?? noKeyLimits),
    ...used,
  };
}

function expiryOrNever(text: string): number | typeof NEVER {
  return text === NEVER ? NEVER : expiryArgument(text);
}

/** A moment that may depend on the current time. */
type Until = (now: number) => number;

const durationUnits: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a duration from now, or a date. @throws InvalidArgumentError */
function untilArgument(text: string): Until {
  if (text === '0') return (now) => now;
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const length = durationUnits[unit];
  if (count !== undefined && length !== undefined) return (now) => now + Number(count) * length;
  const at = expiryArgument(text);
  return (now) => {
    if (at >= now) return at;
    throw new InvalidArgumentError('Give a moment in the future, or 0.');
  };
}
