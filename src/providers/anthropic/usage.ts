import { section, tokens } from '../shared/wire.ts';
import { noUsage, type Usage } from '../spec.ts';

const wireUsage = section({
  input_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  output_tokens: tokens,
  output_tokens_details: section({ thinking_tokens: tokens }),
});

/** The counts of an answer. A stream reports them in two events; the later one counts. */
export class UsageCounts {
  #input: number | null = null;
  #cacheRead: number | null = null;
  #cacheWrite: number | null = null;
  #output: number | null = null;
  #thinking: number | null = null;

  /** @param value the field `usage` of a message or of `message_delta` */
  add(value: unknown): void {
    const usage = wireUsage.parse(value);
    this.#input = usage?.input_tokens ?? this.#input;
    this.#cacheRead = usage?.cache_read_input_tokens ?? this.#cacheRead;
    this.#cacheWrite = usage?.cache_creation_input_tokens ?? this.#cacheWrite;
    this.#output = usage?.output_tokens ?? this.#output;
    this.#thinking = usage?.output_tokens_details?.thinking_tokens ?? this.#thinking;
  }

  /** The API does not include tokens read from and written to its cache in the input. */
  get usage(): Usage {
    const cached = (this.#cacheRead ?? 0) + (this.#cacheWrite ?? 0);
    return {
      ...noUsage,
      promptTokens: this.#input === null ? null : this.#input + cached,
      completionTokens: this.#output,
      cachedTokens: this.#cacheRead,
      cacheWriteTokens: this.#cacheWrite,
      reasoningTokens: this.#thinking,
    };
  }
}
