import type { FinishReason } from '../spec.ts';

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['function_call', 'tool_calls'],
  ['blacklist', 'content_filter'],
]);

/** `error`, for a tool call with invalid arguments, becomes `other`. */
export function finishReasonOf(raw: string | null): FinishReason {
  return (raw === null ? undefined : reasons.get(raw)) ?? 'other';
}
