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

const SENT_AS_TEXT =
  'the token numbers were read by the vocabulary cl100k_base and sent as texts, since the provider takes no other numbers';

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
    const { input, dimensions } = this.#request;
    if (!provider.embed) {
      throw new UnsupportedError('model', 'The provider of this model has no embeddings.');
    }
    const tokens = provider.takesTokens ? this.#request.tokens : undefined;
    if (this.#request.tokens && !tokens) this.#warnings.add(SENT_AS_TEXT);
    for (;;) {
      const done = this.#vectors.length;
      const rest = input.slice(done);
      const part = { ...this.#request, input: rest, tokens: tokens?.slice(done) };
      const answer = await provider.embed(part, signal);
      const { vectors, usage, warnings } = answer;
      const isPart = vectors.length > 0 && vectors.length <= rest.length;
      if (!isPart) throw malformedAnswer('vectors are missing', { usage });
      this.#vectors.push(...vectors);
      const length = vectors[0]?.length;
      if (dimensions !== undefined && length !== dimensions) {
        this.#warnings.add(`the vectors have ${length} numbers: this model ignored dimensions`);
      }
      for (const warning of warnings) this.#warnings.add(warning);
      const sum = this.#usage ? sumOfUsage(this.#usage, usage) : usage;
      this.#usage = sum;
      if (this.#vectors.length < input.length) continue;
      return {
        vectors: this.#vectors,
        answeringModel: answer.answeringModel,
        usage: sum,
        warnings: [...this.#warnings],
      };
    }
  }
}
