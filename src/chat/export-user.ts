import type { Catalogue } from '../catalogue/index.ts';
import type { ImageStore } from '../images/index.ts';
import type { Ledger, Transaction } from '../ledger/index.ts';
import { toUnixSeconds, type Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { toRubles } from '../lib/money.ts';
import type { ApiKey, ApiKeys, User, Users } from '../users/index.ts';
import type { History, HistoryItem } from './history.ts';
import type { Room, Rooms } from './rooms.ts';
import type { UsageReport, UsageRow } from './usage-report.ts';

/** The readers that an export goes through. */
export interface ExportParts {
  catalogue: Catalogue;
  clock: Clock;
  history: History;
  images: ImageStore;
  keys: ApiKeys;
  ledger: Ledger;
  rooms: Rooms;
  usage: UsageReport;
  users: Users;
}

/** Transactions read at a time. */
const PAGE_ROWS = 500;

/**
 * Everything that is kept of a user, as one JSON document in pieces: profile, account, API keys without
 * their secrets, rooms with all their messages (failed ones too), transactions and usage. Read page by
 * page, so that memory does not grow with it, and hence not all of one moment. Times are Unix seconds,
 * amounts rubles.
 * @throws `not_found` before the first piece
 */
export async function* exportUser(parts: ExportParts, userId: number): AsyncGenerator<string> {
  const user = await parts.users.get(userId);
  const head = {
    exported_at: toUnixSeconds(parts.clock.now()),
    profile: profileOf(user),
    account: await accountOf(parts, userId),
    keys: (await parts.keys.list(userId)).map(keyOf),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"rooms":[`;
  yield* separated(rooms(parts, userId));
  yield '],"transactions":[';
  yield* separated(transactions(parts, userId));
  yield '],"usage":[';
  yield* separated(usage(parts, user));
  yield ']}';
}

/** The items of a JSON array, each of one or more pieces: `null` stands between two items. */
async function* separated(pieces: AsyncGenerator<string | null>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of pieces) {
    if (piece !== null) yield piece;
    else if (isFirst) isFirst = false;
    else yield ',';
  }
}

async function* rooms(parts: ExportParts, userId: number): AsyncGenerator<string | null> {
  for await (const page of parts.rooms.pages(userId)) {
    for (const room of page) {
      const pages = await messagePages(parts, userId, room.roomId);
      if (!pages) continue;
      yield null;
      yield `${JSON.stringify(roomOf(room)).slice(0, -1)},"messages":[`;
      yield* separated(messages(parts, pages));
      yield ']}';
    }
  }
}

/** Undefined when the room was deleted since its page was read. */
async function messagePages(
  { history }: ExportParts,
  userId: number,
  roomId: string,
): Promise<AsyncGenerator<HistoryItem[]> | undefined> {
  const ask = { roomId, includeFailed: true, limit: undefined, before: undefined };
  try {
    return (await history.read(userId, ask)).pages;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'room_not_found') return undefined;
    throw error;
  }
}

async function* messages(
  parts: ExportParts,
  pages: AsyncGenerator<HistoryItem[]>,
): AsyncGenerator<string | null> {
  for await (const page of pages) {
    for (const item of page) {
      yield null;
      yield JSON.stringify(await messageOf(parts, item));
    }
  }
}

async function* transactions(
  { ledger }: ExportParts,
  userId: number,
): AsyncGenerator<string | null> {
  for (let before: number | undefined; ;) {
    const page = await ledger.transactions(userId, PAGE_ROWS, before);
    for (const transaction of page) {
      yield null;
      yield JSON.stringify(transactionOf(transaction));
    }
    before = page.at(-1)?.id;
    if (before === undefined || page.length < PAGE_ROWS) return;
  }
}

/** Newest first, a year at a time. */
async function* usage(parts: ExportParts, user: User): AsyncGenerator<string | null> {
  const names = parts.catalogue.names();
  const newest = new Date(parts.clock.now()).getUTCFullYear();
  const oldest = Math.min(newest, new Date(user.createdAt).getUTCFullYear());
  for (let year = newest; year >= oldest; year--) {
    // The outer years are open: a clock may have been wrong when a day was written.
    const from = year === oldest ? '0001-01-01' : `${year}-01-01`;
    const to = year === newest ? '9999-12-31' : `${year}-12-31`;
    for (const row of await parts.usage.read(user.id, from, to)) {
      yield null;
      yield JSON.stringify(usageOf(row, names.get(row.modelId)));
    }
  }
}

function profileOf(user: User) {
  return {
    login: user.login,
    is_admin: user.isAdmin,
    is_blocked: user.isBlocked,
    trust_allowance: user.trustAllowance,
    created_at: toUnixSeconds(user.createdAt),
  };
}

async function accountOf({ ledger }: ExportParts, userId: number) {
  const { balance, held, available, creditLimit } = await ledger.account(userId);
  return {
    balance: toRubles(balance),
    held: toRubles(held),
    available: toRubles(available),
    credit_limit: toRubles(creditLimit),
  };
}

function keyOf(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    created_at: toUnixSeconds(key.createdAt),
    expires_at: secondsOrNull(key.expiresAt),
    revoked_at: secondsOrNull(key.revokedAt),
  };
}

function roomOf(room: Room) {
  return {
    room_id: room.roomId,
    title: room.title,
    message_count: room.messageCount,
    spend: toRubles(room.spend),
    created_at: toUnixSeconds(room.createdAt),
    last_used_at: toUnixSeconds(room.lastUsedAt),
  };
}

async function messageOf({ catalogue, images }: ExportParts, item: HistoryItem) {
  const { view } = await catalogue.version(item.versionId);
  return {
    message_id: item.id,
    state: item.state,
    model_id: view.id,
    model: view.model,
    system_prompt: item.systemPrompt,
    request: item.request,
    response: item.response,
    image_url: item.imageId === null ? null : images.url(item.imageId),
    provider_message_id: item.providerMessageId,
    prompt_tokens: item.promptTokens,
    completion_tokens: item.completionTokens,
    total_tokens: item.totalTokens,
    usage_source: item.usageSource,
    finish_reason: item.finishReason,
    error_code: item.errorCode,
    cost_request: toRubles(item.costRequest),
    cost_response: toRubles(item.costResponse),
    created_at: toUnixSeconds(item.createdAt),
    response_at: secondsOrNull(item.respondedAt),
  };
}

function transactionOf(transaction: Transaction) {
  return {
    id: transaction.id,
    kind: transaction.kind,
    amount: toRubles(transaction.amount),
    balance_after: toRubles(transaction.balanceAfter),
    message_id: transaction.messageId,
    reason: transaction.reason,
    made_by: transaction.madeBy,
    created_at: toUnixSeconds(transaction.createdAt),
  };
}

function usageOf(row: UsageRow, model = '') {
  return {
    day: row.day,
    model_id: row.modelId,
    model,
    requests: row.requests,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    spend: toRubles(row.spend),
  };
}

function secondsOrNull(milliseconds: number | null): number | null {
  return milliseconds === null ? null : toUnixSeconds(milliseconds);
}
