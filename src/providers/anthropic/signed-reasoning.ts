import { lruCache } from '../../lib/lru-cache.ts';
import type { ReasoningBlock } from '../spec.ts';

/** The most calls whose reasoning this node keeps until their results come back. */
const CALLS_MAX = 1_024;
/** The most UTF-16 units that are kept of an answer's reasoning; all together take at most 64 MB. */
const REASONING_UNITS_MAX = 32_768;

/**
 * Anthropic's ids are never repeated; with those of other servers, one user's call could find another user's reasoning.
 */
const uniqueId = /^toolu_\w{16,}$/;

/**
 * Claude's reasoning before its tool calls must be sent back with the results, signed and unchanged. A client of chat
 * completions, or one that did not ask for reasoning, does not get it, so it is kept here, by the first call of the
 * answer.
 */
export class SignedReasoning {
  readonly #byCall = lruCache<string, readonly ReasoningBlock[]>(CALLS_MAX);

  keep(callId: string, reasoning: readonly ReasoningBlock[]): void {
    if (!uniqueId.test(callId) || JSON.stringify(reasoning).length > REASONING_UNITS_MAX) return;
    this.#byCall.set(callId, reasoning);
  }

  of(callId: string): readonly ReasoningBlock[] {
    return this.#byCall.get(callId) ?? [];
  }
}
