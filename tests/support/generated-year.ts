/**
 * A gateway with a year of settled messages of many users, models and API keys. They are booked as real sends are, in
 * batches of holds and settles, each at its own time.
 */
import type {
  SendCommand,
  SendCommandResult,
  SettleCommand,
} from '../../src/chat/commit/commands.ts';
import { runSendBatch } from '../../src/chat/commit/send-commit.ts';
import type { Dialect } from '../../src/db/index.ts';
import { noUsage } from '../../src/providers/index.ts';
import { openGateway, type Gateway } from './gateway.ts';
import { between, pick, randomFrom } from '../torture/support/random.ts';
import { failed, holdOf, settleOf } from './send-commands.ts';

export const YEAR_DAYS = 365;
/** Noon on the last day of the year: the gateway's present. */
const PRESENT = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
const DAYS_OF_MONTH = 30;
const KEYS_EACH = 2;
const ROOMS_EACH = 20;
/** Commands in one transaction. */
const BATCH = 128;
/** Micro-rubles a month. */
const TOP_UP = 50_000_000_000;
export const FIRST_MODEL = 101;
/** The seed of all random choices. */
const SEED = 21;
const FAILED_SHARE = 0.02;
/** Shares of answers whose cost to the operator is not known, or that were partly not charged. */
const UNCOSTED_SHARE = 0.1;
const UNDERCHARGED_SHARE = 0.02;
/** Micro-rubles that the operator pays for some failed attempts. */
const FAILED_COST = 70;
const PROVIDERS = 3;

export interface YearSize {
  messages: number;
  users: number;
  models: number;
}

export interface YearUser {
  userId: number;
  login: string;
  /** An API key of the user. */
  token: string;
  keyIds: readonly string[];
  rooms: readonly string[];
}

export interface GeneratedYear extends AsyncDisposable {
  gateway: Gateway;
  /** The first sends most, the last least. */
  users: readonly YearUser[];
  admin: { token: string };
  /** The first and the last day, as `YYYY-MM-DD`. */
  range: { from: string; to: string };
  /** The sends, in order. */
  sends: readonly Send[];
}

/** @param size spread evenly over the days, and randomly over users, models, keys and rooms */
export async function openYear(
  dialect: Dialect,
  size: YearSize,
  seed = SEED,
): Promise<GeneratedYear> {
  let now = PRESENT - (YEAR_DAYS - 1) * DAY_MS;
  const clock = { now: () => now, monotonic: () => performance.now() };
  const gateway = await openGateway(dialect, { clock, catalogue: catalogueOf(size.models) });
  const users: YearUser[] = [];
  while (users.length < size.users) users.push(await addUser(gateway, users.length));
  const chance = randomFrom(seed);
  const from = dateOf(now);
  const all: Send[] = [];
  for (let day = 0; day < YEAR_DAYS; day++, now += DAY_MS) {
    if (day % DAYS_OF_MONTH === 0) await topUp(gateway, users);
    const sent = (days: number) => Math.floor((size.messages * days) / YEAR_DAYS);
    const sends = Array.from({ length: sent(day + 1) - sent(day) }, () =>
      sendBy(chance, users, size.models, dateOf(now)),
    );
    for (const send of sends) all.push(send);
    await book(gateway, sends, now);
  }
  now = PRESENT;
  const admin = await gateway.addUser({ login: 'boss', isAdmin: true });
  return {
    gateway,
    users,
    admin,
    range: { from, to: dateOf(now) },
    sends: all,
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** These providers are never called. */
export function catalogueOf(models: number): string {
  const code = (index: number) => `provider-${index % PROVIDERS}`;
  const provider = { kind: 'openai', base_url: 'http://127.0.0.1:1/v1', api_key: 'none' };
  return JSON.stringify({
    providers: Object.fromEntries(
      Array.from({ length: PROVIDERS }, (_, index) => [code(index), provider]),
    ),
    models: Array.from({ length: models }, (_, index) => ({
      id: FIRST_MODEL + index,
      provider: code(index),
      model: `model-${index}`,
      description: `Model ${index}`,
      type: 'TEXT',
      max_input_tokens: 100_000,
      max_output_tokens: 10_000,
      cost_input_tokens_rub: 25 + index,
      cost_output_tokens_rub: 100 + index,
    })),
  });
}

async function addUser(gateway: Gateway, index: number): Promise<YearUser> {
  const { core } = gateway;
  const { userId, login } = await gateway.addUser({ login: `user-${index}-of-the-year` });
  const keys = [];
  for (let key = 0; key < KEYS_EACH; key++) {
    keys.push(await core.keys.create(userId, { name: `key ${key}` }));
  }
  const rooms: string[] = [];
  while (rooms.length < ROOMS_EACH) rooms.push(await core.rooms.register(userId, null));
  return { userId, login, token: keys[0]?.key ?? '', keyIds: keys.map(({ id }) => id), rooms };
}

async function topUp({ core: { ledger } }: Gateway, users: readonly YearUser[]): Promise<void> {
  for (const { userId } of users) {
    await ledger.credit(userId, TOP_UP, { reason: 'month', madeBy: 'test' });
  }
}

export interface Send {
  /** `YYYY-MM-DD`. */
  day: string;
  of: { userId: number; room: string };
  keyId: string;
  modelId: number;
  promptTokens: number;
  completionTokens: number;
  cost: { request: number; response: number };
  isFailed: boolean;
  /** The cost of all attempts; null if not known. */
  operatorCost: number | null;
  /** The amount that was not charged; null if all was. */
  lost: number | null;
}

/** Some users are more active than others, and use some models more. */
function sendBy(
  chance: () => number,
  users: readonly YearUser[],
  models: number,
  day: string,
): Send {
  const skewed = () => chance() ** 2;
  const user = pick(users, skewed);
  const model = Math.floor(skewed() * models);
  const promptTokens = between(1, 4_000, chance);
  const completionTokens = between(1, 1_000, chance);
  const isFailed = chance() < FAILED_SHARE;
  const isCosted = chance() >= UNCOSTED_SHARE;
  return {
    day,
    of: { userId: user.userId, room: pick(user.rooms, skewed) },
    keyId: pick(['', ...user.keyIds], chance),
    modelId: FIRST_MODEL + model,
    promptTokens,
    completionTokens,
    cost: { request: promptTokens * (25 + model), response: completionTokens * (100 + model) },
    isFailed,
    operatorCost: !isCosted ? null : isFailed ? pick([0, FAILED_COST], chance) : promptTokens * 9,
    lost: !isFailed && chance() < UNDERCHARGED_SHARE ? promptTokens : null,
  };
}

/** Holds and settles these sends, batch by batch. */
async function book({ core }: Gateway, sends: readonly Send[], at: number): Promise<void> {
  const run = (commands: SendCommand[]): Promise<SendCommandResult[]> =>
    core.db.transaction((tx) => runSendBatch(tx, commands));
  for (let first = 0; first < sends.length; first += BATCH) {
    const batch = sends.slice(first, first + BATCH).map((send) => ({
      send,
      more: {
        modelId: send.modelId,
        versionId: core.catalogue.get(send.modelId)?.versionId ?? 0,
        at,
      },
    }));
    const held = await run(
      batch.map(({ send, more }) =>
        holdOf(send.of, { ...more, bounds: { ...bounds, outputTokensMax: costOf(send) } }),
      ),
    );
    await run(batch.map(({ send, more }, index) => settled(send, held[index], more)));
  }
}

/** A token costs a micro-ruble, so that the hold equals the cost. */
const { bounds } = holdOf({ userId: 0, room: '' });

const failedAttempt = {
  provider: 'provider-0',
  model: 'model-0',
  keyHint: null,
  startedAt: 0,
  waitedMs: 0,
  durationMs: 1,
  outcome: 'failed' as const,
  status: 500,
  cost: null,
};

const costOf = ({ cost }: Send) => cost.request + cost.response;

function settled(
  send: Send,
  held: SendCommandResult | undefined,
  more: Pick<SettleCommand, 'modelId' | 'versionId' | 'at'>,
): SettleCommand {
  if (held?.kind !== 'held') throw new Error(`a send was not held: ${JSON.stringify(held)}`);
  const { of, keyId, cost, promptTokens, completionTokens } = send;
  const totalTokens = promptTokens + completionTokens;
  return settleOf(of, held.messageId, {
    ...more,
    hold: held.hold,
    keyId,
    cost,
    operatorCost: send.operatorCost,
    lost: send.lost,
    usage: { ...noUsage, source: 'provider', promptTokens, completionTokens, totalTokens },
    ...(send.isFailed && {
      ...failed,
      usage: { ...noUsage, source: null },
      attempts: [{ ...failedAttempt, usage: null }],
      attemptCosts: [send.operatorCost],
    }),
  });
}
