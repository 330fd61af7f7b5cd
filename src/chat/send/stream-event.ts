import type { DomainError } from '../../lib/errors.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import type { ToolCallPart } from '../../providers/index.ts';
import type { SendResult } from './send-result.ts';

/**
 * The events of a streamed send, in this order: `start`, `served`, any number of `delta` and `tool_call`, then
 * `done` or `error`. `served` comes together with the next event, so it is missing before an `error` alone.
 */
export type StreamEvent =
  | { type: 'start'; roomId: string; id: number; askedAt: number }
  /** The version of the model that answers, which may be a fallback. */
  | { type: 'served'; versionId: number }
  | { type: 'delta'; text: string }
  | ToolCallPart
  | { type: 'done'; result: SendResult }
  | { type: 'error'; error: DomainError };

/** Events that came together. */
export type EventBatch = readonly StreamEvent[];

/** Where the events of a stream go. */
export interface EventSink {
  /** Aborted when the client has left. */
  readonly gone: StopSignal;
  /** Called with events when the client takes them. */
  onTaken: (events: EventBatch) => void;
  push(batch: EventBatch): void;
  /** Undefined while there is room for more; otherwise resolves once the client has taken enough, or has left. */
  room(): Promise<void> | undefined;
  /** Events that wait are never taken. */
  drop(): void;
  /** Nothing is pushed after it. */
  end(): void;
}
