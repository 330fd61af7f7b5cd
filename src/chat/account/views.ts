/**
 * A user's account, limits, keys, rooms, transactions and usage as JSON, for HTTP, the command line and exports. Times are
 * Unix seconds, amounts rubles.
 */
import {
  type BulkRefund,
  noKeyLimits,
  noLimits,
  type AccountState,
  type KeyBudget,
  type KeyBudgets,
  type KeyLimits,
  type Refund,
  type Transaction,
  type UserLimits,
} from '../../ledger/index.ts';
import { toUnixSeconds, toUnixSecondsOrNull } from '../../lib/clock.ts';
import { toRubles } from '../../lib/money.ts';
import type { ApiKey, ApiKeys, NewApiKey, User } from '../../users/index.ts';
import type { Room } from '../rooms/rooms.ts';
import type { KeySpend, RoomSpend, UsageRow } from './usage-report.ts';

export function accountView({ balance, held, available, creditLimit }: AccountState) {
  return {
    balance: toRubles(balance),
    held: toRubles(held),
    available: toRubles(available),
    credit_limit: toRubles(creditLimit),
  };
}

/** A user, for admins. @param limits absent: the user has no limits */
export function userView(user: User, account: AccountState, limits: UserLimits = noLimits) {
  return {
    id: user.id,
    login: user.login,
    is_admin: user.role === 'admin',
    role: user.role,
    is_blocked: user.isBlocked,
    must_change_password: user.mustChangePassword,
    ...accountView(account),
    limits: limitsView(limits),
    trust_allowance: user.trustAllowance,
    created_at: toUnixSeconds(user.createdAt),
    erased_at: toUnixSecondsOrNull(user.erasedAt),
  };
}

/** Null: no limit. */
export function limitsView(limits: UserLimits) {
  const { rublesPerDay, models } = limits;
  return {
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    rubles_per_day: rublesPerDay === null ? null : toRubles(rublesPerDay),
    models: models === null ? null : [...models],
  };
}

/** A new key as JSON. Only this shows its secret. */
export function newApiKeyView({ id, key, name, createdAt, expiresAt, scope, tags }: NewApiKey) {
  return {
    id,
    key,
    name,
    created_at: toUnixSeconds(createdAt),
    expires_at: toUnixSecondsOrNull(expiresAt),
    scope,
    tags,
  };
}

/** @param budget absent: the key has no limits */
export function apiKeyView(key: ApiKey, budget?: KeyBudget) {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    created_at: toUnixSeconds(key.createdAt),
    expires_at: toUnixSecondsOrNull(key.expiresAt),
    revoked_at: toUnixSecondsOrNull(key.revokedAt),
    scope: key.scope,
    tags: key.tags,
    limits: keyLimitsView(budget?.limits ?? noKeyLimits),
    used: budget
      ? {
          rubles_today: toRubles(budget.used.day),
          rubles_this_month: toRubles(budget.used.month),
          rubles_total: toRubles(budget.used.total),
          held: toRubles(budget.used.held),
        }
      : null,
    old_hint: key.oldHint,
    old_until: toUnixSecondsOrNull(key.oldUntil),
  };
}

export function refundView(messageId: number, { amount, charge, refunded, balance }: Refund) {
  return {
    message_id: messageId,
    amount: toRubles(amount),
    charge: toRubles(charge),
    refunded: toRubles(refunded),
    balance: toRubles(balance),
  };
}

export function bulkRefundView({ charge, refunded, amount, isComplete, ...counts }: BulkRefund) {
  return {
    ...counts,
    charge: toRubles(charge),
    refunded: toRubles(refunded),
    amount: toRubles(amount),
    complete: isComplete,
  };
}

export async function apiKeyViews(
  { keys, budgets }: { keys: ApiKeys; budgets: KeyBudgets },
  userId: number,
) {
  const list = await keys.list(userId);
  const found = await budgets.many(list.map(({ id }) => id));
  return list.map((key) => apiKeyView(key, found.get(key.id)));
}

/** Null: no limit. */
function keyLimitsView(limits: KeyLimits) {
  const { rublesPerMonth, rublesTotal } = limits;
  return {
    ...limitsView(limits),
    rubles_per_month: rublesPerMonth === null ? null : toRubles(rublesPerMonth),
    rubles_total: rublesTotal === null ? null : toRubles(rublesTotal),
  };
}

export function roomView(room: Room) {
  return {
    room_id: room.roomId,
    title: room.title,
    message_count: room.messageCount,
    spend: toRubles(room.spend),
    created_at: toUnixSeconds(room.createdAt),
    last_used_at: toUnixSeconds(room.lastUsedAt),
  };
}

export function transactionView(transaction: Transaction) {
  return {
    id: transaction.id,
    kind: transaction.kind,
    amount: toRubles(transaction.amount),
    balance_after: toRubles(transaction.balanceAfter),
    message_id: transaction.messageId,
    room_id: transaction.roomId,
    reason: transaction.reason,
    made_by: transaction.madeBy,
    created_at: toUnixSeconds(transaction.createdAt),
  };
}

export function keySpendView(row: KeySpend) {
  return {
    key_id: row.keyId,
    name: row.name,
    hint: row.hint,
    requests: row.requests,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    spend: toRubles(row.spend),
  };
}

export function roomSpendView({ roomId, title, isDeleted, spend }: RoomSpend) {
  return { room_id: roomId, title, is_deleted: isDeleted, spend: toRubles(spend) };
}

/** @param names the names of models by id, including retired ones */
export function usageView(row: UsageRow, names: ReadonlyMap<number, string>) {
  return {
    day: row.day,
    model_id: row.modelId,
    model: names.get(row.modelId) ?? '',
    requests: row.requests,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    spend: toRubles(row.spend),
  };
}
