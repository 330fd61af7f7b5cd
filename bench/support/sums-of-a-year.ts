import {
  closeRunningSums,
  closeUsageDay,
  type Dialect,
  noUsageCounts,
  prepareInsert,
  type RowFor,
  tables,
} from '../../src/db/index.ts';
import { dateOfDay, dayOf } from '../../src/lib/days.ts';
import { openGateway, type Gateway } from '../../tests/support/gateway.ts';
import {
  catalogueOf,
  FIRST_MODEL,
  YEAR_DAYS,
  type YearSize,
} from '../../tests/support/generated-year.ts';
import { pick, randomFrom } from '../../tests/torture/support/random.ts';

const KEYS_EACH = 2;
/** How many models one user uses. */
const MODELS_EACH = 4;
/** The share of users who are active on a day. */
const ACTIVE_SHARE = 0.6;
const SEED = 2311;
/** In micro-rubles, enough that no balance falls below zero. */
const CREDIT = 1_000_000_000_000;
const TOKENS_MAX = 4_000;

export interface SumsOfYear extends AsyncDisposable {
  gateway: Gateway;
  admin: { token: string };
  /** The first and the last day, as `YYYY-MM-DD`; the last is today. */
  range: { from: string; to: string };
  /** The cost of all messages, in micro-rubles. */
  spend: number;
  /** The number of rows in `usage_daily`. */
  rows: number;
}

interface YearUser {
  userId: number;
  keyIds: readonly string[];
  models: readonly number[];
  spend: number;
}

const insert = prepareInsert(tables.usage_daily);
type UsageRow = RowFor<typeof insert>;

/**
 * A gateway with the sums of a year of this many messages, as their settles and the chores would have left them, and
 * matching balances. The messages and their ledger entries do not exist: no report reads them.
 */
export async function openSumsOfYear(dialect: Dialect, shape: YearSize): Promise<SumsOfYear> {
  const gateway = await openGateway(dialect, { catalogue: catalogueOf(shape.models) });
  const { db, ledger } = gateway.core;
  const chance = randomFrom(SEED);
  const users: YearUser[] = [];
  while (users.length < shape.users) users.push(await addUser(gateway, shape.models, chance));
  const today = dayOf(Date.now());
  const first = today - YEAR_DAYS + 1;
  let rows = 0;
  for (let day = first; day <= today; day++) {
    const sums = sumsOfDay(day, Math.round(shape.messages / YEAR_DAYS), users, chance);
    rows += sums.length;
    await db.transaction((tx) => insert(tx, sums));
  }
  for (const { userId, spend } of users) {
    await ledger.credit(userId, CREDIT, { reason: 'year', madeBy: 'benchmark' });
    const charge = 'UPDATE accounts SET balance = balance - $1 WHERE user_id = $2';
    await db.transaction((tx) => tx.query(charge, [spend, userId]));
  }
  while (await closeUsageDay(db));
  while (await closeRunningSums(db));
  // On PostgreSQL, autovacuum would run this some time after the inserts.
  await db.transaction((tx) => tx.query('ANALYZE'));
  return {
    gateway,
    admin: await gateway.addUser({ login: 'boss', isAdmin: true }),
    range: { from: dateOfDay(first), to: dateOfDay(today) },
    spend: users.reduce((sum, { spend }) => sum + spend, 0),
    rows,
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

async function addUser(gateway: Gateway, models: number, chance: () => number): Promise<YearUser> {
  const { userId } = await gateway.addUser();
  const keyIds: string[] = [];
  while (keyIds.length < KEYS_EACH) {
    keyIds.push((await gateway.core.keys.create(userId, { name: `key ${keyIds.length}` })).id);
  }
  const some = () => FIRST_MODEL + Math.floor(chance() ** 2 * models);
  return { userId, keyIds, models: Array.from({ length: MODELS_EACH }, some), spend: 0 };
}

/** The usage that a day adds: some users, keys and models are used more than others. */
function sumsOfDay(
  day: number,
  messages: number,
  users: readonly YearUser[],
  chance: () => number,
): UsageRow[] {
  const skewed = () => chance() ** 2;
  const active = users.filter(() => chance() < ACTIVE_SHARE);
  const sums = new Map<string, UsageRow>();
  for (let message = 0; message < messages; message++) {
    const user = pick(active, skewed);
    const key = pick(user.keyIds, skewed);
    const model = pick(user.models, skewed);
    const name = `${key} ${model}`;
    let row = sums.get(name);
    if (!row) sums.set(name, (row = emptyRow(user.userId, day, model, key)));
    const tokens = 1 + Math.floor(chance() * TOKENS_MAX);
    row.requests++;
    row.prompt_tokens += tokens;
    row.completion_tokens += Math.floor(tokens / 4);
    row.spend += tokens * 25;
    row.operator_cost += tokens * 20;
    row.costed_requests++;
    row.costed_spend += tokens * 25;
    user.spend += tokens * 25;
  }
  return [...sums.values()];
}

function emptyRow(user: number, day: number, model: number, key: string): UsageRow {
  return {
    user_id: user,
    day,
    model_id: model,
    key_id: key,
    ...noUsageCounts,
  };
}
