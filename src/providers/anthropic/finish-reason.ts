import type { FinishReason } from '../spec.ts';

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

export function finishReasonOf(raw: string | null): FinishReason {
  return (raw === null ? undefined : reasons.get(raw)) ?? 'other';
}
