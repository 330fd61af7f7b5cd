export { AttemptLog, messageAttemptsView, type MessageAttempts } from './account/attempts.ts';
export { messageStates, type IdempotencyKey } from './commit/commands.ts';
export { DatabaseHealth } from './nodes/database-health.ts';
export { estimateConversation, type Conversation } from './send/kinds/conversation.ts';
export { estimateSend, type Estimate } from './send/take-hold.ts';
export { eraseUser, exportUser, type ExportParts } from './account/user-data.ts';
export { History, type HistoryItem } from './rooms/history.ts';
export { OncePerKey, purgeIdempotencyKeys } from './idempotency.ts';
export { InFlight } from './send/in-flight.ts';
export { NodeLease } from './nodes/node-lease.ts';
export { reconcile } from './reconcile/reconcile.ts';
export {
  findingKinds,
  findingView,
  type Finding,
  type FindingKind,
} from './reconcile/comparison.ts';
export {
  reconciliationView,
  type ReconcileOptions,
  type Reconciliation,
} from './reconcile/report.ts';
export { Recovery } from './nodes/recovery.ts';
export { Rooms, roomIdPattern, type Room } from './rooms/rooms.ts';
export { SendCommit } from './commit/send-commit.ts';
export {
  checkAgainstModel,
  checkModelIds,
  modelsForUser,
  modelsWithinLimits,
  type SendInput,
} from './send/send-input.ts';
export type { SettledEvent } from './send/sender-parts.ts';
export { writtenAnswer } from './send/settle.ts';
export type { SendTrace } from './send/kinds/kind.ts';
export { Sender, withQuotas, type SendFacts } from './send/send.ts';
export type { EventBatch, EventSink, SendResult, StreamEvent } from './send/send-result.ts';
export { UnseenThoughts } from './send/unseen-thoughts.ts';
export { UsageReport, type UsageRow } from './account/usage-report.ts';
export {
  accountView,
  apiKeyView,
  limitsView,
  roomView,
  transactionView,
  usageView,
  userView,
} from './account/views.ts';
