import type { StopSignal } from '../../lib/stop-signal.ts';
import { EMBEDDINGS_ANSWER_MAX_BYTES, IMAGE_ANSWER_MAX_BYTES } from '../shared/body.ts';
import { imageAnswer } from '../shared/images.ts';
import { JsonClient } from '../shared/http.ts';
import type { ProviderSetup } from '../shared/setup.ts';
import { readStream } from '../shared/text-stream.ts';
import type {
  EmbeddingAnswer,
  EmbeddingRequest,
  ImageAnswer,
  ImageRequest,
  Provider,
  TextAnswer,
  TextPart,
  TextRequest,
} from '../spec.ts';
import { ChunkReader } from './answer.ts';
import { STANDARD_BASE_URL, traitsOf, type ServerTraits } from './dialect.ts';
import { embeddingAnswer, embeddingBody } from './embeddings.ts';
import { errorIn, explainError } from './errors.ts';
import { imageBody, readImageBody } from './image.ts';
import { fetchImage } from './image-url.ts';
import { chatBody } from './request.ts';

const CHAT_PATH = '/chat/completions';

interface OpenAiOptions extends Pick<ProviderSetup, 'baseUrl' | 'apiKey'> {
  /** Replace the header `authorization`. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** OpenAI, and every server with compatible chat completions, images and embeddings. */
export class OpenAiProvider implements Provider {
  readonly #baseUrl: string;
  readonly #apiKey: string | undefined;
  readonly #traits: ServerTraits;
  readonly #client: JsonClient;

  constructor({ baseUrl = STANDARD_BASE_URL, apiKey, headers }: OpenAiOptions) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
    this.#traits = traitsOf(baseUrl);
    // Local servers need no key, and some refuse an empty header.
    const authorization = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
    this.#client = new JsonClient({
      baseUrl,
      headers: headers ?? authorization,
      secret: apiKey,
      explain: explainError,
      errorIn,
    });
  }

  async generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer> {
    const converted = chatBody(request, this.#traits, false);
    const body = await this.#client.postForJson(CHAT_PATH, converted.body, request, signal);
    return new ChunkReader(converted, this.#apiKey).whole(body);
  }

  streamText(request: TextRequest, signal: StopSignal): AsyncGenerator<TextPart[]> {
    return readStream(async () => {
      const converted = chatBody(request, this.#traits, true);
      const bytes = await this.#client.postForEvents(CHAT_PATH, converted.body, request, signal);
      return { bytes, events: new ChunkReader(converted, this.#apiKey) };
    }, signal);
  }

  async generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer> {
    const converted = imageBody(request);
    const path = '/images/generations';
    const max = IMAGE_ANSWER_MAX_BYTES;
    const body = await this.#client.postForData(path, converted.body, request, signal, max);
    const { image, usage } = readImageBody(body);
    const bytes =
      'bytes' in image ? image.bytes : await fetchImage(image.url, this.#baseUrl, signal);
    return imageAnswer(bytes, { usage, seed: converted.seed, warnings: converted.warnings });
  }

  async embed(request: EmbeddingRequest, signal: StopSignal): Promise<EmbeddingAnswer> {
    const max = EMBEDDINGS_ANSWER_MAX_BYTES;
    const converted = embeddingBody(request);
    const body = await this.#client.postForData('/embeddings', converted, request, signal, max);
    return embeddingAnswer(body, request.input.length);
  }
}
