import { lruCache } from '../../lib/lru-cache.ts';
import type { Thought } from '../spec.ts';

/** The most calls whose thoughts this node keeps until their results come back. */
const CALLS_MAX = 1_024;
/** The most UTF-16 units that are kept of an answer's thoughts; all together take at most 64 MB. */
const THOUGHTS_MAX = 32_768;

/**
 * Anthropic's ids are never repeated; with those of other servers, one user's call could find another user's thoughts.
 */
const uniqueId = /^toolu_\w{16,}$/;

/**
 * Claude's thoughts before it calls tools must be sent back with the results, signed and unchanged. A client of chat
 * completions, or one that did not ask for thoughts, does not get them, so they are kept here, by the first call of the
 * answer.
 */
export class SignedThoughts {
  readonly #byCall = lruCache<string, readonly Thought[]>(CALLS_MAX);

  keep(callId: string, thoughts: readonly Thought[]): void {
    if (!uniqueId.test(callId) || JSON.stringify(thoughts).length > THOUGHTS_MAX) return;
    this.#byCall.set(callId, thoughts);
  }

  of(callId: string): readonly Thought[] {
    return this.#byCall.get(callId) ?? [];
  }
}
