export type { Attempt, AttemptOutcome, ObservedCall } from './routing/attempt.ts';
export type { OllamaModel } from './ollama/convert.ts';
export { OllamaLook } from './ollama/look.ts';
export type { BreakerState } from './routing/breaker.ts';
export { EmbeddingRun } from './routing/embedding-run.ts';
export {
  ProviderPool,
  type PoolStream,
  type ProviderPoolOptions,
  type ProviderWork,
} from './routing/pool.ts';
export { RecentCalls, type RecentUse } from './routing/recent-calls.ts';
export { refusalOf, type Offer } from './offers.ts';
export { joinedText } from './shared/answer-reader.ts';
export {
  ReasoningBuilder,
  inOrder,
  REASONING_GAP,
  reasoningText,
  type Piece,
} from './shared/reasoning.ts';
export {
  createProvider,
  isSentBack,
  providerKinds,
  providerOptions,
  untakenParts,
  type KindOption,
} from './registry.ts';
export { obeyProxyVariables } from './shared/http.ts';
export { acceptedOf, isDeadline } from './shared/failures.ts';
export { effectiveEffort, hidesReasoning } from './shared/reasoning-effort.ts';
export { NotSentError } from './routing/attempt.ts';
export {
  noUsage,
  speechTypes,
  ProviderError,
  UnsupportedError,
  type EmbeddingAnswer,
  type EmbeddingRequest,
  type FinishReason,
  type ImageAnswer,
  type ImageRequest,
  type Message,
  type Provider,
  type ProviderCost,
  type ProviderFault,
  type ReasoningEffort,
  type RequestField,
  type ResponseFormat,
  type SpeechFormat,
  type TextAnswer,
  type SentFile,
  type GivenImage,
  type TextChoice,
  type TextPart,
  type TextRequest,
  type ReasoningMode,
  type ReasoningBlock,
  type ReasoningPart,
  type AnswerPlace,
  type ReasoningSeal,
  type TimedText,
  type Tool,
  type ToolCall,
  type ToolCallPart,
  type ToolChoice,
  type Transcript,
  type TranscriptAnswer,
  type Usage,
  type UserPart,
} from './spec.ts';
export type { ProviderRouting, ProviderSetup } from '../lib/provider-setup.ts';
