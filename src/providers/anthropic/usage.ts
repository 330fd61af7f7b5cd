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
  #usage = noUsage;
  #input: number | null = null;

  /** @param value the field `usage` of a message or of `message_delta` @returns the counts so far */
  add(value: unknown): Usage {
    const wire = wireUsage.parse(value);
    const last = this.#usage;
    this.#input = wire?.input_tokens ?? this.#input;
    const cachedTokens = wire?.cache_read_input_tokens ?? last.cachedTokens;
    const cacheWriteTokens = wire?.cache_creation_input_tokens ?? last.cacheWriteTokens;
    // The API does not include tokens read from and written to its cache in the input.
    const cache = (cachedTokens ?? 0) + (cacheWriteTokens ?? 0);
    this.#usage = {
      ...noUsage,
      promptTokens: this.#input === null ? null : this.#input + cache,
      completionTokens: wire?.output_tokens ?? last.completionTokens,
      cachedTokens,
      cacheWriteTokens,
      reasoningTokens: wire?.output_tokens_details?.thinking_tokens ?? last.reasoningTokens,
    };
    return this.#usage;
  }
}
