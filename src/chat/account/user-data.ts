import type { Act } from '../../audit/index.ts';
import type { Catalogue } from '../../catalogue/index.ts';
import type { ImageStore } from '../../images/index.ts';
import type { KeyBudgets, Ledger, Limits } from '../../ledger/index.ts';
import { toUnixSeconds, toUnixSecondsOrNull, type Clock } from '../../lib/clock.ts';
import { DomainError } from '../../lib/errors.ts';
import { countsByColumn } from '../../lib/units.ts';
import { toRubles } from '../../lib/money.ts';
import type { ApiKeys, User, Users } from '../../users/index.ts';
import { imageUrlsOf } from '../context/sent-images.ts';
import { replacedBy } from '../context/branch.ts';
import { attemptView, type AttemptLog } from './attempts.ts';
import type { History, HistoryItem } from '../rooms/history.ts';
import type { StoredResponse, StoredResponses } from '../responses/stored-responses.ts';
import type { Rooms } from '../rooms/rooms.ts';
import type { UsageReport } from './usage-report.ts';
import {
  accountView,
  apiKeyViews,
  limitsView,
  roomView,
  transactionView,
  usageView,
} from './views.ts';

export interface ExportParts {
  attempts: AttemptLog;
  budgets: KeyBudgets;
  catalogue: Catalogue;
  clock: Clock;
  history: History;
  images: ImageStore;
  keys: ApiKeys;
  ledger: Ledger;
  limits: Limits;
  responses: StoredResponses;
  rooms: Rooms;
  usage: UsageReport;
  users: Users;
}

const PAGE_ROWS = 500;

/**
 * Everything that is stored about a user, as one JSON document in pieces: profile, account, API keys without their
 * secrets, rooms with all messages (including failed ones), transactions and usage. It is read page by page to limit
 * memory, so it does not show a single moment. Times are Unix seconds, amounts rubles.
 * @throws `not_found` before the first piece
 */
export async function* exportUser(parts: ExportParts, userId: number): AsyncGenerator<string> {
  const user = await parts.users.get(userId);
  const head = {
    exported_at: toUnixSeconds(parts.clock.now()),
    profile: {
      login: user.login,
      is_admin: user.role === 'admin',
      role: user.role,
      is_blocked: user.isBlocked,
      trust_allowance: user.trustAllowance,
      created_at: toUnixSeconds(user.createdAt),
    },
    account: accountView(await parts.ledger.account(userId)),
    limits: limitsView(await parts.limits.get(userId)),
    keys: await apiKeyViews(parts, userId),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"rooms":[`;
  yield* roomsWithMessages(parts, userId);
  yield '],"transactions":[';
  yield* separated(transactions(parts, userId));
  yield '],"usage":[';
  yield* separated(usage(parts, user));
  yield ']}';
}

async function* separated(items: AsyncGenerator<string>): AsyncGenerator<string> {
  let separator = '';
  for await (const item of items) {
    yield separator + item;
    separator = ',';
  }
}

async function* roomsWithMessages(parts: ExportParts, userId: number): AsyncGenerator<string> {
  let separator = '';
  for await (const page of parts.rooms.pages(userId)) {
    for (const room of page) {
      const pages = await messagePages(parts, userId, room.roomId);
      if (!pages) continue;
      yield `${separator}${JSON.stringify(roomView(room)).slice(0, -1)},"messages":[`;
      yield* separated(messages(parts, userId, room.roomId, pages));
      yield ']}';
      separator = ',';
    }
  }
}

/** Undefined if the room was deleted after its page was read. */
async function messagePages(
  { history }: ExportParts,
  userId: number,
  roomId: string,
): Promise<AsyncGenerator<HistoryItem[]> | undefined> {
  const query = { roomId, includeFailed: true, limit: undefined, before: undefined };
  try {
    return (await history.read(userId, query)).pages;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'room_not_found') return undefined;
    throw error;
  }
}

async function* messages(
  parts: ExportParts,
  userId: number,
  roomId: string,
  pages: AsyncGenerator<HistoryItem[]>,
): AsyncGenerator<string> {
  for await (const page of pages) {
    const ids = page.map(({ id }) => id);
    const [first, last] = [Math.min(...ids), Math.max(...ids)];
    const stored = await parts.attempts.between(userId, first, last);
    const responses = await parts.responses.idsBetween(userId, first, last);
    for (const item of page) {
      const attempts = (stored.get(item.id) ?? []).map(attemptView);
      const text = JSON.stringify({ ...(await messageOf(parts, item)), attempts });
      const { id } = item;
      // One at a time, since each may have megabytes.
      const kept = responses.has(id) && (await parts.responses.find(userId, { roomId, id }));
      yield kept ? `${text.slice(0, -1)},"stored_response":${storedResponse(kept)}}` : text;
    }
  }
}

/** What is stored of a response in addition to its message. */
function storedResponse({ settings, input, toolCalls, reasoning }: StoredResponse): string {
  const output = JSON.stringify({ tool_calls: toolCalls, reasoning });
  return `{"settings":${settings},"input":${input},"output":${output}}`;
}

/** Newest first. */
async function* transactions({ ledger }: ExportParts, userId: number): AsyncGenerator<string> {
  for (let before: number | undefined; ;) {
    const page = await ledger.transactions(userId, PAGE_ROWS, before);
    for (const transaction of page) yield JSON.stringify(transactionView(transaction));
    before = page.at(-1)?.id;
    if (before === undefined || page.length < PAGE_ROWS) return;
  }
}

/** Newest first, a year at a time. */
async function* usage(parts: ExportParts, user: User): AsyncGenerator<string> {
  const names = parts.catalogue.names();
  const newest = new Date(parts.clock.now()).getUTCFullYear();
  const oldest = Math.min(newest, new Date(user.createdAt).getUTCFullYear());
  for (let year = newest; year >= oldest; year--) {
    // The first and last year are open-ended: a clock may have been wrong when a row was written.
    const from = year === oldest ? '0001-01-01' : `${year}-01-01`;
    const to = year === newest ? '9999-12-31' : `${year}-12-31`;
    const rows = await parts.usage.read(user.id, from, to);
    for (const row of rows) yield JSON.stringify(usageView(row, names));
  }
}

/** A message with the id and name of its model; the operation /ai/history/ shows the whole Model. */
async function messageOf({ catalogue, images }: ExportParts, item: HistoryItem) {
  const { view } = await catalogue.version(item.versionId);
  return {
    message_id: item.id,
    state: item.state,
    model_id: view.id,
    model: view.model,
    system_prompt: item.systemPrompt,
    request: item.request,
    request_images: imageUrlsOf(item, (id) => images.url(id)),
    response: item.response,
    image_url: item.imageId === null ? null : images.url(item.imageId),
    provider_message_id: item.providerMessageId,
    ...countsByColumn(item),
    usage_source: item.usageSource,
    replaces: replacedBy(item.parameters) ?? null,
    finish_reason: item.finishReason,
    error_code: item.errorCode,
    cost_request: toRubles(item.costRequest),
    cost_response: toRubles(item.costResponse),
    created_at: toUnixSeconds(item.createdAt),
    response_at: toUnixSecondsOrNull(item.respondedAt),
  };
}

/**
 * Erases a user with the texts and images of all rooms; the books stay. Erasing twice is harmless.
 * Texts that remain after a crash or a database outage, and images that could not be deleted now, are removed by a later
 * sweep or by erasing again.
 * @throws `not_found`; `forbidden` for the last admin
 */
export async function eraseUser(
  { users, rooms, images }: { users: Users; rooms: Rooms; images: ImageStore },
  userId: number,
  act?: Act,
): Promise<void> {
  await users.erase(userId, (tx) => rooms.deleteAll(tx, userId), act);
  await rooms.erasure.ofUser(userId);
  await images.removal.ofUser(userId);
}
