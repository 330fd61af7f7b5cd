import type { StopSignal } from '../../lib/stop-signal.ts';
import { EMBEDDINGS_ANSWER_MAX_BYTES, IMAGE_ANSWER_MAX_BYTES } from '../shared/body.ts';
import { JsonClient } from '../shared/json-client.ts';
import { readStream } from '../shared/text-stream.ts';
import type { ProviderSetup } from '../shared/setup.ts';
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
import { ResponseReader, textAnswer } from './chunks.ts';
import { EMBEDDINGS_PER_CALL, embeddingBody, readVectors } from './embeddings.ts';
import { errorInAnswer, explainError } from './errors.ts';
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
      errorInAnswer,
    });
  }

  async generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    const asked = generateBody(request, this.#signatures.forModel(request.model));
    const path = pathOf(request.model, 'generateContent');
    const body = await this.#client.postForJson(path, asked.body, request, signal);
    return textAnswer(body, { asked, signatures: this.#signatures, secret: this.#apiKey });
  }

  streamText(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    return readStream(async () => {
      const signatures = this.#signatures;
      const asked = generateBody(request, signatures.forModel(request.model));
      const path = `${pathOf(request.model, 'streamGenerateContent')}?alt=sse`;
      const bytes = await this.#client.postForEvents(path, asked.body, request, signal);
      return { bytes, events: new ResponseReader({ asked, signatures, secret: this.#apiKey }) };
    }, signal);
  }

  async generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer> {
    const asked = imageBody(request);
    const path = pathOf(request.model, 'generateContent');
    const max = IMAGE_ANSWER_MAX_BYTES;
    const body = await this.#client.postForData(path, asked.body, request, signal, max);
    return readImage(body, asked, this.#apiKey);
  }

  async embed(request: EmbeddingRequest, signal: StopSignal): Promise<EmbeddingAnswer> {
    const input = request.input.slice(0, EMBEDDINGS_PER_CALL);
    const asked = embeddingBody({ ...request, input }, resourceOf(request.model));
    const path = pathOf(request.model, 'batchEmbedContents');
    const max = EMBEDDINGS_ANSWER_MAX_BYTES;
    const body = await this.#client.postForData(path, asked, request, signal, max);
    return { vectors: readVectors(body, input.length, this.#apiKey), usage: noUsage, warnings: [] };
  }
}

function pathOf(model: string, method: string): string {
  const path = resourceOf(model).split('/').map(encodeURIComponent).join('/');
  return `/${path}:${method}`;
}

/** Tuned models have a name with their own collection in it. */
function resourceOf(model: string): string {
  return model.includes('/') ? model : `models/${model}`;
}
