export { messageAttemptsView, type MessageAttempts } from './account/attempts.ts';
export { messageStates, type IdempotencyKey, type KeptRequest } from './commit/commands.ts';
export { replacedBy } from './context/branch.ts';
export { imageUrlsOf } from './context/sent-images.ts';
export { DatabaseHealth } from './nodes/database-health.ts';
export { estimateConversation, imageUrls, type Conversation } from './send/kinds/conversation.ts';
export { DetachedSend } from './detached/detached-send.ts';
export type { Detached } from './detached/detached-sends.ts';
export { purgeStops, type StopRequest, type StoppedMessage } from './detached/stops.ts';
export { estimateSend, type Estimate } from './send/take-hold.ts';
export { eraseUser, exportUser, type ExportParts } from './account/user-data.ts';
export type { History, HistoryItem } from './rooms/history.ts';
export { OncePerKey, purgeIdempotencyKeys } from './idempotency.ts';
export { InFlight } from './send/in-flight.ts';
export { readStatus, type ServerFacts, type StatusView } from './nodes/gateway-status.ts';
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
export {
  StoredResponses,
  type Chain,
  type ResponseName,
  type StoredResponse,
} from './responses/stored-responses.ts';
export { openRecords } from './account/records.ts';
export { Rooms, roomIdPattern, type Room } from './rooms/rooms.ts';
export type { Piece } from './search/excerpt.ts';
export type { Search } from './search/search.ts';
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
export { EMBEDDING_TOKEN_MAX, EMBEDDING_VOCABULARY, textsOfTokens } from './context/tokens.ts';
export { speechTypes } from './send/kinds/speech.ts';
export { Sender, withQuotas } from './send/send.ts';
export { wasTooLate } from './send/stream.ts';
export type {
  EventBatch,
  EventSink,
  SendFacts,
  SendResult,
  StreamEvent,
} from './send/send-result.ts';
export { eventOf } from './send/replayed.ts';
export { secondsOfAudio } from './audio/duration.ts';
export { HiddenReasoning } from './send/hidden-reasoning.ts';
export {
  listedUserView,
  UserList,
  userOrders,
  type ListedUser,
  type UserListQuery,
  type UserOrder,
} from './account/user-list.ts';
export {
  inOrder,
  REASONING_GAP,
  reasoningText,
  type ReasoningBlock,
  type ReasoningSeal,
} from '../providers/index.ts';
export type { UsageRow } from './account/usage-report.ts';
export { reportParts, usageParts, type UsagePart } from './account/usage-statement.ts';
export { listedView, usageSumViews, type UsageSums } from './account/usage-sums.ts';
export { givenBackOf } from './account/given-back.ts';
export type { OperatorReport } from './account/report.ts';
export { reportView } from './account/report-view.ts';
export {
  accountView,
  apiKeyView,
  apiKeyViews,
  keySpendView,
  limitsView,
  newApiKeyView,
  roomSpendView,
  roomView,
  bulkRefundView,
  refundView,
  transactionView,
  usageView,
  userView,
} from './account/views.ts';
