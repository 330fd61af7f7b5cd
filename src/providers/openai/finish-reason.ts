import type { FinishReason } from '../spec.ts';

/** The dialect's own words, and those that compatible servers let through from elsewhere. */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content_filter'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
]);

export function finishReasonOf(raw: string | null): FinishReason {
  return (raw === null ? undefined : reasons.get(raw)) ?? 'other';
}
