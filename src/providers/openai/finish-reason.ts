import type { FinishReason } from '../spec.ts';

/** OpenAI's words, and other words that compatible servers pass on. */
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

/** @param callsTools several compatible servers report `stop` for an answer that calls tools */
export function finishReasonOf(raw: string | null, callsTools: boolean): FinishReason {
  const reason = (raw === null ? undefined : reasons.get(raw)) ?? 'other';
  return callsTools && reason === 'stop' ? 'tool_calls' : reason;
}
