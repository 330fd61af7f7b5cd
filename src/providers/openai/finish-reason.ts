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

/** @param callsTools an answer of several compatible servers that calls tools ends in `stop` all the same */
export function finishReasonOf(raw: string | null, callsTools: boolean): FinishReason {
  const reason = (raw === null ? undefined : reasons.get(raw)) ?? 'other';
  return callsTools && reason === 'stop' ? 'tool_calls' : reason;
}
