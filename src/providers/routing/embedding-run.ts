import { sumOfUsage } from '../shared/wire.ts';
import { acceptedOf, malformedAnswer } from '../shared/failures.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import {
  type ProviderError,
  UnsupportedError,
  type EmbeddingAnswer,
  type EmbeddingRequest,
  type Provider,
  type Usage,
} from '../spec.ts';

/**
 * Embeds a list of texts with as many requests as the provider needs. Received vectors are kept: another attempt,
 * possibly with another key, only requests the rest, because the provider charges for what it answered.
 */
export class EmbeddingRun {
  readonly #request: EmbeddingRequest;
  readonly #vectors: number[][] = [];
  readonly #warnings = new Set<string>();
  #usage: Usage | undefined;

  constructor(request: EmbeddingRequest) {
    this.#request = request;
  }

  /** The failure of the whole call. After an answered request, a repetition would be charged again. */
  failure(error: ProviderError): ProviderError {
    return this.#vectors.length > 0 ? acceptedOf(error) : error;
  }

  /** @throws UnsupportedError if the dialect has no embeddings; ProviderError if a request fails */
  async run(provider: Provider, signal: StopSignal): Promise<EmbeddingAnswer> {
    const { input } = this.#request;
    if (!provider.embed) {
      throw new UnsupportedError('model', 'The provider of this model has no embeddings.');
    }
    for (;;) {
      const rest = input.slice(this.#vectors.length);
      const answer = await provider.embed({ ...this.#request, input: rest }, signal);
      const { vectors, usage, warnings } = answer;
      const isPart = vectors.length > 0 && vectors.length <= rest.length;
      if (!isPart) throw malformedAnswer('vectors are missing', { usage });
      this.#vectors.push(...vectors);
      for (const warning of warnings) this.#warnings.add(warning);
      const sum = this.#usage ? sumOfUsage(this.#usage, usage) : usage;
      this.#usage = sum;
      if (this.#vectors.length < input.length) continue;
      return { vectors: this.#vectors, usage: sum, warnings: [...this.#warnings] };
    }
  }
}
