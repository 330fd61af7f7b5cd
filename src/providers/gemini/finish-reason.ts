import type { FinishReason } from '../spec.ts';

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
]);

/** @param callsTools the API reports `STOP` for an answer that calls tools */
export function finishReasonOf(raw: string | null, callsTools: boolean): FinishReason {
  const reason = (raw === null ? undefined : reasons.get(raw)) ?? 'other';
  return callsTools && reason === 'stop' ? 'tool_calls' : reason;
}
