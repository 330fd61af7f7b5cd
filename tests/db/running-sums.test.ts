/** Reports of running sums equal the plain sums of what was sent, whatever is closed, reopened and requested. */
import { describe, expect, test } from 'bun:test';
import { OperatorReport } from '../../src/chat/account/report.ts';
import { readsOf } from '../../src/chat/account/running-reads.ts';
import type { UsagePart } from '../../src/chat/account/usage-statement.ts';
import {
  closeRunningSums,
  closeUsageDay,
  type Database,
  runningDays,
  type Tx,
} from '../../src/db/index.ts';
import { dateOfDay } from '../../src/lib/days.ts';
import { brokenChecks, insertUser } from '../ledger/rows.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { between, pick, randomFrom } from '../torture/support/random.ts';

const TODAY = Math.floor(Date.now() / 86_400_000);
/** The days cover a whole block of 256 days, and parts of two. */
const FIRST = TODAY - 500;
const ROUNDS = 6;
const REPORTS = 8;
const PAGE = 40;

interface Use {
  user_id: number;
  day: number;
  model_id: number;
  key_id: string;
  requests: number;
  spend: number;
  uncosted_failures: number;
}

const parts = ['day', 'model', 'provider', 'user', 'key'] as const satisfies readonly UsagePart[];
const MODELS = [101, 102, 103];
const providerOf = (model: number) => (model === 103 ? 'beta' : 'alpha');

async function addModels(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    for (const code of ['alpha', 'beta']) {
      const text = `INSERT INTO providers (code, origin, kind, timeout_seconds, options)
        VALUES ($1, 'file', 'openai', 60, '{}')`;
      await tx.query(text, [code]);
    }
    for (const id of MODELS) {
      const text = `INSERT INTO models (id, origin, provider_code, version_id, fallbacks)
        VALUES ($1, 'file', $2, 1, '[]')`;
      await tx.query(text, [id, providerOf(id)]);
    }
  });
}

/** Adds to the sums of days as settles do. */
async function book(db: Database, uses: readonly Use[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const use of uses) await addUse(tx, use);
  });
}

function addUse(tx: Tx, use: Use): Promise<unknown> {
  return tx.query(
    `INSERT INTO usage_daily (user_id, day, model_id, key_id, requests, prompt_tokens, completion_tokens,
         spend, uncosted_failures) VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $7)
       ON CONFLICT (user_id, day, model_id, key_id) DO UPDATE SET
         requests = usage_daily.requests + excluded.requests, spend = usage_daily.spend + excluded.spend,
         uncosted_failures = usage_daily.uncosted_failures + excluded.uncosted_failures`,
    [
      use.user_id,
      use.day,
      use.model_id,
      use.key_id,
      use.requests,
      use.spend,
      use.uncosted_failures,
    ],
  );
}

function useOf(chance: () => number, day: number): Use {
  const user = between(1, 5, chance);
  const isFailure = chance() < 0.2;
  return {
    user_id: user,
    day,
    model_id: pick(MODELS, chance),
    key_id: pick(['', `${user}-a`, `${user}-b`], chance),
    requests: isFailure ? 0 : 1,
    spend: isFailure ? 0 : between(0, 3, chance) * 1_000 + day,
    uncosted_failures: isFailure ? 1 : 0,
  };
}

interface Query {
  by: readonly UsagePart[];
  first: number;
  last: number;
  userId: number | undefined;
  modelId: number | undefined;
  provider: string | undefined;
}

type Sums = Record<string, number[]>;

const nameOf = (by: readonly UsagePart[], row: Record<UsagePart, unknown>) =>
  parts
    .filter((part) => by.includes(part) || (part === 'provider' && by.includes('model')))
    .map((part) => `${part} ${String(row[part])}`)
    .join(', ');

function plainSums(uses: readonly Use[], query: Query): Sums {
  const sums: Sums = {};
  for (const use of uses) {
    const provider = providerOf(use.model_id);
    if (use.day < query.first || use.day > query.last) continue;
    if (query.userId !== undefined && use.user_id !== query.userId) continue;
    if (query.modelId !== undefined && use.model_id !== query.modelId) continue;
    if (query.provider !== undefined && provider !== query.provider) continue;
    const row = { day: dateOfDay(use.day), model: use.model_id, provider };
    const name = nameOf(query.by, { ...row, user: use.user_id, key: use.key_id });
    const [requests = 0, spend = 0, failures = 0] = sums[name] ?? [];
    sums[name] = [requests + use.requests, spend + use.spend, failures + use.uncosted_failures];
  }
  return sums;
}

async function reported(db: Database, query: Query) {
  const { first, last, ...more } = query;
  const rows: Sums = {};
  const report = new OperatorReport(db);
  for (let offset = 0; ; offset += PAGE) {
    const range = { from: dateOfDay(first), to: dateOfDay(last) };
    const page = await report.read({ ...range, ...more, limit: PAGE, offset });
    for (const row of page.rows) {
      const { sums, day, modelId: model, userId: user, keyId: key } = row;
      const provider = row.provider ?? (model === null ? null : providerOf(model));
      const name = nameOf(query.by, { day, model, provider, user, key });
      expect(rows[name]).toBeUndefined();
      rows[name] = [sums.requests, sums.spend, sums.uncosted_failures];
    }
    if (offset + PAGE < page.count) continue;
    const { requests, spend, uncosted_failures } = page.total;
    return { rows, count: page.count, total: [requests, spend, uncosted_failures] };
  }
}

function randomQuery(chance: () => number): Query {
  const first = FIRST + between(0, 500, chance);
  const filter = between(0, 4, chance);
  return {
    by: parts.filter(() => chance() < 0.4),
    first,
    last: Math.min(first + pick([0, 3, 40, 300, 500], chance), TODAY),
    userId: filter === 1 ? between(1, 5, chance) : undefined,
    modelId: filter === 2 ? pick(MODELS, chance) : undefined,
    provider: filter === 3 ? pick(['alpha', 'beta'], chance) : undefined,
  };
}

async function closeAll(db: Database): Promise<void> {
  while (await closeUsageDay(db));
  while (await closeRunningSums(db));
}

describe('reads of running sums', () => {
  test('have each day of the range once, and no other', () => {
    const chance = randomFrom(41);
    for (let round = 0; round < 300; round++) {
      const end = between(0, 900, chance);
      const running = Array.from({ length: 225 }, (_, step) => step * 4 + 3).filter(
        // A reopened day removes the rest of its block.
        (through) => through <= end && through % 256 < ((through >> 8) % 3) * 128 + 100,
      );
      // The newest closed day.
      running.push((running.at(-1) ?? -1) + between(1, 3, chance));
      const first = between(0, 900, chance);
      const last = first + between(0, 700, chance);
      const had = new Map<number, number>();
      for (const read of readsOf({ first, last }, running)) {
        const isRunning = 'through' in read;
        const begin = isRunning && running.find((day) => day >> 8 === read.through >> 8);
        const from = isRunning ? Number(begin) - (Number(begin) % 4) : read.first;
        if (isRunning) expect(running).toContain(read.through);
        for (let day = from; day <= (isRunning ? read.through : read.last); day++) {
          had.set(day, (had.get(day) ?? 0) + (read.isTakenAway ? -1 : 1));
        }
      }
      const days = [...had].filter(([, times]) => times !== 0).toSorted(([a], [b]) => a - b);
      expect(days).toEqual(Array.from({ length: last - first + 1 }, (_, at) => [first + at, 1]));
    }
  });
});

for (const dialect of dialects) {
  describe(`${dialect}: reports of running sums`, () => {
    test('equal the plain sums, however they are split and filtered', async () => {
      const chance = randomFrom(4_100);
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await addModels(db);
      for (let user = 1; user <= 5; user++) await insertUser(db, user, 0);
      const uses: Use[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        // From the second round on, settles come late and reopen days.
        const more = Array.from({ length: round === 0 ? 300 : 3 }, () =>
          useOf(chance, FIRST + 5 * between(0, 100, chance)),
        );
        uses.push(...more);
        await book(db, more);
        if (round % 2 === 1) await closeAll(db);
        for (let n = 0; n < REPORTS; n++) {
          const query = randomQuery(chance);
          const { rows, count, total } = await reported(db, query);
          const expected = plainSums(uses, query);
          const byUserAlone = query.by.join() === 'user';
          const found = Object.fromEntries(
            Object.entries(rows).filter(([name]) => !byUserAlone || name in expected),
          );
          const isOne = query.by.length === 0 && Object.keys(expected).length === 0;
          expect({ query, rows: isOne ? {} : found }).toEqual({ query, rows: expected });
          if (!isOne && !byUserAlone) expect(count).toBe(Object.keys(expected).length);
          const all = Object.values(expected);
          const sumOf = (at: number) => all.reduce((sum, row) => sum + (row[at] ?? 0), 0);
          expect(total).toEqual([0, 1, 2].map(sumOf));
        }
      }
      expect((await runningDays(db)).length).toBeGreaterThan(100);
      expect(await brokenChecks(db)).not.toContain(
        'running sums equal those before them, and the days between',
      );
    });

    test('are computed again from the day that a settle reopens', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const use = {
        user_id: 1,
        model_id: 101,
        key_id: '',
        requests: 1,
        spend: 10,
        uncosted_failures: 0,
      };
      const begin = Math.floor((TODAY - 300) / 256) * 256;
      await book(
        db,
        [1, 40, 255].map((day) => ({ ...use, day: begin + day })),
      );
      expect(await closeRunningSums(db)).toBe(false);
      await closeAll(db);
      const days = await runningDays(db);
      expect([days.length, days[0], days.at(-1)]).toEqual([64, begin + 3, begin + 255]);
      await book(db, [{ ...use, day: begin + 42 }]);
      expect((await runningDays(db)).at(-1)).toBe(begin + 39);
      await closeAll(db);
      expect(await runningDays(db)).toEqual(days);
    });
  });
}
