import type { DomainError } from '../../lib/errors.ts';
import type { Micro } from '../../lib/money.ts';
import type { Quota } from '../../lib/quota.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import type {
  TextChoice,
  ReasoningBlock,
  ReasoningSeal,
  ToolCall,
  ToolCallPart,
  Transcript,
} from '../../providers/index.ts';
import type { AnswerTokens } from '../../lib/units.ts';

export interface CountedUsage extends AnswerTokens {
  /** `estimated` if the provider did not report all of the totals. */
  source: 'provider' | 'estimated';
}

/** The answer to a send. Amounts are micro-rubles; `versionId` is the Model as it was then. */
export interface SendResult {
  roomId: string;
  id: number;
  request: string;
  /** The answer's text, or the URL of the image. */
  response: string;
  costRequest: Micro;
  costResponse: Micro;
  versionId: number;
  usage: CountedUsage;
  finishReason: string;
  /** The stop text that ended the answer, if the provider reports it. */
  stopSequence?: string | undefined;
  /** After the charge. */
  balance: Micro;
  /** How many earlier messages were sent along. */
  contextUsed: number;
  seed: number | null;
  warnings: string[];
  /** Only for a streamed text. */
  leftStream?: LeftStream | undefined;
  /** Calls of functions that the model asks for, on the compatible interfaces. */
  toolCalls: ToolCall[];
  /** The model's reasoning, if the caller gets it. */
  reasoning?: ReasoningBlock[] | undefined;
  /** Each answer, if the caller asked for several or for log probabilities; `response` has the texts of all. */
  choices?: TextChoice[] | undefined;
  /** One vector for each input of an embedding request. */
  vectors?: number[][] | undefined;
  /** For transcribed audio; `response` has its text. */
  transcript?: Transcript | undefined;
  /** When the message was sent, milliseconds since 1970. */
  askedAt: number;
  /** When the answer was complete, milliseconds since 1970. */
  respondedAt: number;
}

/**
 * What happens to a stream if its client leaves: the provider is stopped, or its stream is read on, at most to its end,
 * since the model may make tokens that nobody else can count.
 */
export type LeftStream = 'stopped' | 'read_to_end';

/** Facts about a send other than its answer. */
export interface SendFacts {
  /** The answer is that of an earlier request with the same idempotency key. */
  replayed: boolean;
  /** What was left of the caller's limits when the send began; empty without limits. */
  quotas: readonly Quota[];
}

/** The same before its settle, which determines the balance. */
export type UnsettledResult = Omit<SendResult, 'balance'>;

/**
 * The events of a streamed send, in this order: `start`, `served`, any number of `delta`, `tool_call` and `reasoning`,
 * then `done` or `error`. `served` comes together with the next event, so it is missing before an `error` alone.
 */
export type StreamEvent =
  | { type: 'start'; roomId: string; id: number; askedAt: number }
  /** The version of the model that answers, which may be a fallback. */
  | { type: 'served'; versionId: number }
  | { type: 'delta'; text: string }
  | ToolCallPart
  /** A piece of a reasoning block, if the caller gets the model's reasoning. The seal ends the block. */
  | { type: 'reasoning'; text: string; seal?: ReasoningSeal | undefined }
  | { type: 'done'; result: SendResult }
  | { type: 'error'; error: DomainError };

export type EventBatch = readonly StreamEvent[];

/** Where the events of a stream go. */
export interface EventSink {
  /** Aborted when the client has left. */
  readonly gone: StopSignal;
  /** Called with events when the client takes them. */
  onTaken: (events: EventBatch) => void;
  push(batch: EventBatch): void;
  /** Called before each request to a provider. */
  sent(): void;
  /** Undefined while there is room for more; otherwise resolves once the client has taken enough, or has left. */
  room(): Promise<void> | undefined;
  /** The waiting events are never taken. */
  drop(): void;
  /** No event is pushed after it. */
  end(): void;
}
