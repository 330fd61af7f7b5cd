import { asRecord } from '../shared/json.ts';
import { tokenCount } from '../shared/usage.ts';
import { noUsage, type Usage } from '../spec.ts';

/** The counts of an answer; those of a stream come in two events, of which the later ones hold. */
export class UsageCounts {
  #input: number | null = null;
  #cacheRead: number | null = null;
  #cacheWrite: number | null = null;
  #output: number | null = null;
  #thinking: number | null = null;

  /** @param value the field `usage` of a message or of `message_delta` */
  tell(value: unknown): void {
    const usage = asRecord(value);
    if (!usage) return;
    this.#input = tokenCount(usage['input_tokens']) ?? this.#input;
    this.#cacheRead = tokenCount(usage['cache_read_input_tokens']) ?? this.#cacheRead;
    this.#cacheWrite = tokenCount(usage['cache_creation_input_tokens']) ?? this.#cacheWrite;
    this.#output = tokenCount(usage['output_tokens']) ?? this.#output;
    const details = asRecord(usage['output_tokens_details']);
    this.#thinking = tokenCount(details?.['thinking_tokens']) ?? this.#thinking;
  }

  /** The API counts what it reads from its cache, and writes into it, apart from the other input. */
  get usage(): Usage {
    return {
      ...noUsage,
      promptTokens:
        this.#input === null
          ? null
          : this.#input + (this.#cacheRead ?? 0) + (this.#cacheWrite ?? 0),
      completionTokens: this.#output,
      cachedTokens: this.#cacheRead,
      cacheWriteTokens: this.#cacheWrite,
      reasoningTokens: this.#thinking,
    };
  }
}
