import type { StopSignal } from '../../lib/stop-signal.ts';
import { EMBEDDINGS_ANSWER_MAX_BYTES, IMAGE_ANSWER_MAX_BYTES } from '../shared/body.ts';
import { withPath } from '../shared/base-url.ts';
import {
  withFetchedImages,
  withFetchedParts,
  type FetchingParts,
} from '../shared/fetched-parts.ts';
import { JsonClient } from '../shared/http.ts';
import type { PublicNetwork } from '../shared/public-get.ts';
import { readStream, type RawStream } from '../shared/text-stream.ts';
import type { Secrets } from '../shared/reported-failure.ts';
import { secretsOf } from '../shared/secrets.ts';
import type { ProviderSetup } from '../../lib/provider-setup.ts';
import type { Sent } from '../shared/unsupported.ts';
import {
  noUsage,
  type EmbeddingAnswer,
  type EmbeddingRequest,
  type ImageAnswer,
  type ImageEditRequest,
  type ImageRequest,
  type Provider,
  type TextAnswer,
  type TextPart,
  type TextRequest,
} from '../spec.ts';
import { ResponseReader } from './answer.ts';
import { EMBEDDINGS_PER_CALL, embeddingBody, embeddingVectors } from './embeddings.ts';
import { errorIn, explainError } from './errors.ts';
import { editBody, imageBody, readImage } from './image.ts';
import { generateBody } from './request.ts';
import { SignatureStore } from './signatures.ts';

export const GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';

export class GeminiProvider implements Provider {
  readonly #secrets: Secrets;
  readonly #client: JsonClient;
  readonly #signatures = new SignatureStore();
  readonly #fetching: FetchingParts;

  /** @param network fetches images and files by their URLs */
  constructor(
    setup: Pick<ProviderSetup, 'baseUrl' | 'apiKey' | 'headers' | 'extraBody'>,
    network?: PublicNetwork,
  ) {
    const { baseUrl = GEMINI_BASE_URL, apiKey, headers, extraBody } = setup;
    this.#fetching = { needsBytes: () => true, network };
    this.#secrets = secretsOf(setup);
    this.#client = new JsonClient({
      baseUrl,
      otherBaseUrl: withPath(baseUrl, '/v1beta'),
      headers: { ...(apiKey && { 'x-goog-api-key': apiKey }), ...headers },
      extraBody,
      secret: this.#secrets,
      explain: explainError,
      errorIn,
    });
  }

  async generateText(original: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    return withFetchedParts(original, signal, this.#fetching, async (request) => {
      const { body, ...sent } = generateBody(request, this.#signatures.forModel(request.model));
      const path = pathOf(request.model, 'generateContent');
      const answer = await this.#client.postForJson(path, body, request, signal);
      return this.#reader(sent).whole(answer);
    });
  }

  streamText(original: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    const open = async (request: TextRequest): Promise<RawStream> => {
      const { body, ...sent } = generateBody(request, this.#signatures.forModel(request.model));
      const path = `${pathOf(request.model, 'streamGenerateContent')}?alt=sse`;
      const bytes = await this.#client.postForEvents(path, body, request, signal);
      return { bytes, events: this.#reader(sent) };
    };
    return readStream(() => withFetchedParts(original, signal, this.#fetching, open), signal);
  }

  #reader(sent: Sent): ResponseReader {
    return new ResponseReader({ sent, signatures: this.#signatures, secret: this.#secrets });
  }

  generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer> {
    return this.#draw(request, imageBody(request), signal);
  }

  editImage(request: ImageEditRequest, signal: StopSignal): Promise<ImageAnswer> {
    return withFetchedImages(request, signal, this.#fetching.network, ({ images }) =>
      this.#draw(request, editBody(request, images), signal),
    );
  }

  async #draw(
    request: ImageRequest,
    converted: ReturnType<typeof imageBody>,
    signal: StopSignal,
  ): Promise<ImageAnswer> {
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
