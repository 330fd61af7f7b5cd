import type { DomainError } from '../../lib/errors.ts';
import type { ToolCallPart } from '../../providers/index.ts';
import type { SendResult } from './send-result.ts';

/**
 * What a streamed send tells, in this order: `start`, `served`, any number of `delta` and `tool_call`, then
 * `done` or `error`. `served` comes together with what follows it, so it is missing before an `error` alone.
 */
export type StreamEvent =
  | { type: 'start'; roomId: string; id: number; askedAt: number }
  /** The version of the model that answers, which may be a fallback. */
  | { type: 'served'; versionId: number }
  | { type: 'delta'; text: string }
  | ToolCallPart
  | { type: 'done'; result: SendResult }
  | { type: 'error'; error: DomainError };

/** Events that came together, batch by batch. An async generator is one of these. */
export interface StreamEvents {
  next: () => Promise<IteratorResult<readonly StreamEvent[], unknown>>;
  /** The reader leaves. Resolves once the send has ended. */
  return: (value: undefined) => Promise<unknown>;
}
