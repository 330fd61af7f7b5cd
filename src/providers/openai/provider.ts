import {
  contentTypeOf,
  discard,
  EMBEDDINGS_ANSWER_MAX_BYTES,
  IMAGE_ANSWER_MAX_BYTES,
  readJson,
  TEXT_ANSWER_MAX_BYTES,
} from '../shared/body.ts';
import { incomprehensible } from '../shared/failures.ts';
import { postJson } from '../shared/http.ts';
import { asRecord } from '../shared/json.ts';
import type {
  EmbeddingAnswer,
  EmbeddingRequest,
  ImageAnswer,
  ImageRequest,
  Provider,
  ProviderSetup,
  TextAnswer,
  TextPart,
  TextRequest,
} from '../spec.ts';
import { textAnswer } from './answer.ts';
import { ChunkReader } from './chunks.ts';
import { STANDARD_BASE_URL, traitsOf, type ServerTraits } from './dialect.ts';
import { embeddingAnswer, embeddingBody } from './embeddings.ts';
import { errorInAnswer, explainError } from './errors.ts';
import { imageAnswer, readImageBody } from './image-answer.ts';
import { imageBody } from './image-request.ts';
import { fetchImage } from './image-url.ts';
import { chatBody, type ChatBody } from './request.ts';
import { readStream } from './stream.ts';

/** What of a request goes into its headers. */
type Traced = Pick<TextRequest, 'traceparent'>;

/** OpenAI, and every server that speaks its chat completions, images and embeddings. */
export class OpenAiProvider implements Provider {
  readonly #baseUrl: string;
  readonly #apiKey: string | undefined;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #traits: ServerTraits;

  constructor(setup: Pick<ProviderSetup, 'baseUrl' | 'apiKey'>) {
    this.#baseUrl = (setup.baseUrl ?? STANDARD_BASE_URL).replace(/\/+$/, '');
    this.#apiKey = setup.apiKey;
    // Local servers need no key, and some refuse a header without one.
    const authorization = setup.apiKey ? { authorization: `Bearer ${setup.apiKey}` } : {};
    this.#headers = { 'content-type': 'application/json', ...authorization };
    this.#traits = traitsOf(this.#baseUrl);
  }

  async generateText(request: TextRequest, signal: AbortSignal): Promise<TextAnswer> {
    const asked = chatBody(request, this.#traits, false);
    const response = await this.#post('/chat/completions', asked.body, request, signal);
    const body = await readJson(response, TEXT_ANSWER_MAX_BYTES, signal);
    return textAnswer(body, asked, this.#apiKey);
  }

  streamText(request: TextRequest, signal: AbortSignal): AsyncGenerator<TextPart> {
    const asked = chatBody(request, this.#traits, true);
    const chunks = new ChunkReader(asked, this.#apiKey);
    return readStream(() => this.#openStream(asked.body, request, signal), chunks, signal);
  }

  async generateImage(request: ImageRequest, signal: AbortSignal): Promise<ImageAnswer> {
    const asked = imageBody(request);
    const response = await this.#post('/images/generations', asked.body, request, signal);
    const body = await readJson(response, IMAGE_ANSWER_MAX_BYTES, signal);
    const { image, usage } = readImageBody(body, this.#apiKey);
    const bytes =
      'bytes' in image ? image.bytes : await fetchImage(image.url, this.#baseUrl, signal);
    return imageAnswer(bytes, usage, asked);
  }

  async embed(request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingAnswer> {
    const response = await this.#post('/embeddings', embeddingBody(request), request, signal);
    const body = await readJson(response, EMBEDDINGS_ANSWER_MAX_BYTES, signal);
    return embeddingAnswer(body, request.input.length, this.#apiKey);
  }

  async #openStream(
    body: ChatBody,
    request: Traced,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#post('/chat/completions', body, request, signal);
    const type = contentTypeOf(response);
    if (type.essence === 'text/event-stream' && type.isUtf8 && response.body) return response.body;
    throw await this.#noStream(response, signal);
  }

  #post(
    path: string,
    body: unknown,
    { traceparent }: Traced,
    signal: AbortSignal,
  ): Promise<Response> {
    return postJson({
      url: this.#baseUrl + path,
      headers: traceparent === undefined ? this.#headers : { ...this.#headers, traceparent },
      body,
      signal,
      secret: this.#apiKey,
      explain: explainError,
    });
  }

  /** Some servers answer a call for a stream with the error as a plain JSON body under status 200. */
  async #noStream(response: Response, signal: AbortSignal): Promise<Error> {
    if (contentTypeOf(response).essence !== 'application/json') {
      await discard(response);
      return incomprehensible('it is no event stream');
    }
    const body = asRecord(await readJson(response, TEXT_ANSWER_MAX_BYTES, signal));
    const error = body && errorInAnswer(body, this.#apiKey);
    return error ?? incomprehensible('it is no event stream');
  }
}
