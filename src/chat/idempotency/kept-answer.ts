import { OVERSIZED_ANSWER } from '../commit/commands.ts';
import type { SendResult } from '../send/send-result.ts';

/**
 * Most UTF-16 units of an answer that is stored for its key: keys are for broken connections, not for storing answers.
 */
const KEPT_UNITS_MAX = 8 * 1024 * 1024;
/** What a number of a vector takes as JSON, about. */
const NUMBER_UNITS = 20;

/** A send's result as it is kept for its idempotency key. */
export function keptAnswer(result: SendResult): string {
  // Vectors are sized up before they are written out, which would take seconds for the largest.
  const numbers = result.vectors?.reduce((sum, vector) => sum + vector.length, 0) ?? 0;
  if (numbers * NUMBER_UNITS > KEPT_UNITS_MAX) return OVERSIZED_ANSWER;
  const text = JSON.stringify(result);
  return text.length > KEPT_UNITS_MAX ? OVERSIZED_ANSWER : text;
}

/** Reads a stored answer. One that an earlier version stored has no time of its request. */
export function readKeptAnswer(text: string): SendResult {
  const kept = JSON.parse(text) as Omit<SendResult, 'askedAt'> & Partial<SendResult>;
  return { ...kept, askedAt: kept.askedAt ?? kept.respondedAt };
}
