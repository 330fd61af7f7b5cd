import type { Catalogue } from '../../catalogue/index.ts';
import { type Database, runningDays, type Sql, type UsageCount } from '../../db/index.ts';
import { dateOfDay } from '../../lib/days.ts';
import { toRubles } from '../../lib/money.ts';
import type { Users } from '../../users/index.ts';
import { usageStatement, type UsageSumsQuery } from './usage-statement.ts';

/** What a sum is of; a part by which it is not split is null. */
export interface Parts {
  /** `YYYY-MM-DD`. */
  day: string | null;
  modelId: number | null;
  provider: string | null;
  userId: number | null;
  /** Empty: without a key. */
  keyId: string | null;
}

/** Counts by the names of their columns; amounts are micro-rubles. */
export type Counts<Name extends UsageCount> = Record<Name, number>;

/** The counts that lists of usage show. */
const listed = ['requests', 'prompt_tokens', 'completion_tokens', 'spend'] as const;
export type Listed = Counts<(typeof listed)[number]>;

/** A page of sums, how many sums there are, and the sum of all. */
export interface UsagePage<Name extends UsageCount> {
  rows: (Parts & Counts<Name>)[];
  count: number;
  total: Counts<Name>;
}

/** The usage of all users, summed from what each settle adds up by user, day and model: no message is read. */
export class UsageSums {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The newest day first, then the largest spend. */
  read(query: UsageSumsQuery): Promise<UsagePage<keyof Listed>> {
    return this.#db.snapshot((sql) => readUsageSums(sql, query, listed));
  }
}

interface PartsRow {
  /** The number of sums; set only in the row with the totals. */
  count: number | null;
  day: number | null;
  model: number | null;
  provider: string | null;
  user: number | null;
  key: string | null;
}

/** The newest day first, then the largest spend. @param sql a snapshot @param counts include `spend` */
export async function readUsageSums<Name extends UsageCount>(
  sql: Sql,
  query: UsageSumsQuery,
  counts: readonly Name[],
): Promise<UsagePage<Name>> {
  const { text, params } = usageStatement({ query, counts, running: await runningDays(sql) });
  const found = await sql.query<PartsRow & Counts<Name>>(text, params);
  const total = found.find(({ count }) => count !== null);
  const countsOf = (row: Counts<Name> | undefined) =>
    Object.fromEntries(counts.map((name) => [name, row?.[name] ?? 0])) as Counts<Name>;
  return {
    rows: found
      .filter(({ count }) => count === null)
      .map((row) => ({ ...partsOf(row), ...countsOf(row) })),
    count: total?.count ?? 0,
    total: countsOf(total),
  };
}

function partsOf({ day, model, provider, user, key }: PartsRow): Parts {
  const date = day === null ? null : dateOfDay(day);
  return { day: date, modelId: model, provider, userId: user, keyId: key };
}

/** Names of models, and logins of users, by their ids. */
export interface Names {
  models: ReadonlyMap<number, { provider: string; model: string }>;
  logins: ReadonlyMap<number, { login: string }>;
}

/** Where `namesOf` looks names up. */
export interface NameParts {
  catalogue: Catalogue;
  users: Users;
}

/** The names of all models, and of the users of `rows`. */
export async function namesOf(
  { catalogue, users }: NameParts,
  rows: readonly { userId: number | null }[],
): Promise<Names> {
  return {
    models: new Map(catalogue.everyModel().map((model) => [model.id, model])),
    logins: await users.many(rows.flatMap(({ userId }) => userId ?? [])),
  };
}

/** The parts of a sum as JSON; a part by which it is not split is null. */
export function partsView(row: Parts, { models, logins }: Names) {
  const model = row.modelId === null ? undefined : models.get(row.modelId);
  return {
    day: row.day,
    model_id: row.modelId,
    model: model?.model ?? null,
    provider: row.provider ?? model?.provider ?? null,
    login: row.userId === null ? null : (logins.get(row.userId)?.login ?? null),
  };
}

export async function usageSumViews(parts: NameParts, rows: readonly (Parts & Listed)[]) {
  const names = await namesOf(parts, rows);
  return rows.map((row) => ({ ...partsView(row, names), ...listedView(row) }));
}

export function listedView({ requests, prompt_tokens, completion_tokens, spend }: Listed) {
  return { requests, prompt_tokens, completion_tokens, spend: toRubles(spend) };
}
