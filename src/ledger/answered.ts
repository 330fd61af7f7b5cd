/** Whether a stored message was charged as an answer: only then the fixed price of an answer is due. */
import type { AnswerTokens } from '../lib/units.ts';

export interface AnsweredRow extends Pick<AnswerTokens, 'completionTokens' | 'reasoningTokens'> {
  state: string;
  answer: 'kept' | 'erased' | 'empty';
}

/** SQL: what is left of a message's answer. A text that is erased is so with its request, which no send leaves empty. */
export function answerLeft(messages: string): string {
  return `CASE WHEN ${messages}.response <> '' OR ${messages}.image_id IS NOT NULL THEN 'kept'
    WHEN ${messages}.request = '' THEN 'erased' ELSE 'empty' END`;
}

/**
 * Of an erased text the counts are left: it was empty if it had no tokens but those of reasoning.
 * @param isOfTexts whether the model answers with texts; what others make is not stored as a text
 */
export function wasAnswered(row: AnsweredRow, isOfTexts: boolean): boolean {
  if (row.state === 'failed') return false;
  if (!isOfTexts || row.answer === 'kept') return true;
  return row.answer === 'erased' && row.completionTokens > (row.reasoningTokens ?? 0);
}
