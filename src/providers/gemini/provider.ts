import type { StopSignal } from '../../lib/stop-signal.ts';
import { EMBEDDINGS_ANSWER_MAX_BYTES, IMAGE_ANSWER_MAX_BYTES } from '../shared/body.ts';
import { JsonClient } from '../shared/http.ts';
import { readStream } from '../shared/text-stream.ts';
import type { ProviderSetup } from '../shared/setup.ts';
import type { Sent } from '../shared/unsupported.ts';
import {
  noUsage,
  type EmbeddingAnswer,
  type EmbeddingRequest,
  type ImageAnswer,
  type ImageRequest,
  type Provider,
  type TextAnswer,
  type TextPart,
  type TextRequest,
} from '../spec.ts';
import { ResponseReader } from './answer.ts';
import { EMBEDDINGS_PER_CALL, embeddingBody, embeddingVectors } from './embeddings.ts';
import { errorIn, explainError } from './errors.ts';
import { imageBody, readImage } from './image.ts';
import { generateBody } from './request.ts';
import { SignatureStore } from './signatures.ts';

const STANDARD_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';

/** Google's Gemini API. */
export class GeminiProvider implements Provider {
  readonly #apiKey: string | undefined;
  readonly #client: JsonClient;
  readonly #signatures = new SignatureStore();

  constructor({ baseUrl = STANDARD_BASE_URL, apiKey }: Pick<ProviderSetup, 'baseUrl' | 'apiKey'>) {
    this.#apiKey = apiKey;
    this.#client = new JsonClient({
      baseUrl,
      headers: apiKey ? { 'x-goog-api-key': apiKey } : {},
      secret: apiKey,
      explain: explainError,
      errorIn,
    });
  }

  async generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    const converted = generateBody(request, this.#signatures.forModel(request.model));
    const path = pathOf(request.model, 'generateContent');
    const body = await this.#client.postForJson(path, converted.body, request, signal);
    return this.#reader(converted).whole(body);
  }

  streamText(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    return readStream(async () => {
      const converted = generateBody(request, this.#signatures.forModel(request.model));
      const path = `${pathOf(request.model, 'streamGenerateContent')}?alt=sse`;
      const bytes = await this.#client.postForEvents(path, converted.body, request, signal);
      return { bytes, events: this.#reader(converted) };
    }, signal);
  }

  #reader(sent: Sent): ResponseReader {
    return new ResponseReader({ sent, signatures: this.#signatures, secret: this.#apiKey });
  }

  async generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer> {
    const converted = imageBody(request);
    const path = pathOf(request.model, 'generateContent');
    const max = IMAGE_ANSWER_MAX_BYTES;
    const body = await this.#client.postForData(path, converted.body, request, signal, max);
    return readImage(body, converted);
  }

  async embed(request: EmbeddingRequest, signal: StopSignal): Promise<EmbeddingAnswer> {
    const input = request.input.slice(0, EMBEDDINGS_PER_CALL);
    const batch = embeddingBody({ ...request, input }, resourceOf(request.model));
    const path = pathOf(request.model, 'batchEmbedContents');
    const max = EMBEDDINGS_ANSWER_MAX_BYTES;
    const body = await this.#client.postForData(path, batch, request, signal, max);
    return { vectors: embeddingVectors(body, input.length), usage: noUsage, warnings: [] };
  }
}

function pathOf(model: string, method: string): string {
  const path = resourceOf(model).split('/').map(encodeURIComponent).join('/');
  return `/${path}:${method}`;
}

/** The name of a tuned model includes its collection. */
function resourceOf(model: string): string {
  return model.includes('/') ? model : `models/${model}`;
}
