import {
  contentTypeOf,
  discard,
  IMAGE_ANSWER_MAX_BYTES,
  readJson,
  TEXT_ANSWER_MAX_BYTES,
} from '../shared/body.ts';
import { incomprehensible, readFailure } from '../shared/failures.ts';
import { postJson } from '../shared/http.ts';
import { asRecord } from '../shared/json.ts';
import { SseParser } from '../shared/sse.ts';
import type {
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
import { STANDARD_BASE_URL, tokenLimitFieldOf, type TokenLimitField } from './dialect.ts';
import { errorInAnswer, explainError } from './errors.ts';
import { imageAnswer, readImageBody } from './image-answer.ts';
import { imageBody } from './image-request.ts';
import { fetchImage } from './image-url.ts';
import { chatBody } from './request.ts';

/** OpenAI, and every server that speaks its chat completions and images. */
export class OpenAiProvider implements Provider {
  readonly #baseUrl: string;
  readonly #apiKey: string | undefined;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #tokenLimitField: TokenLimitField;

  constructor(setup: Pick<ProviderSetup, 'baseUrl' | 'apiKey'>) {
    this.#baseUrl = (setup.baseUrl ?? STANDARD_BASE_URL).replace(/\/+$/, '');
    this.#apiKey = setup.apiKey;
    // Local servers need no key, and some refuse a header without one.
    const authorization = setup.apiKey ? { authorization: `Bearer ${setup.apiKey}` } : {};
    this.#headers = { 'content-type': 'application/json', ...authorization };
    this.#tokenLimitField = tokenLimitFieldOf(this.#baseUrl);
  }

  async generateText(request: TextRequest, signal: AbortSignal): Promise<TextAnswer> {
    const asked = chatBody(request, this.#tokenLimitField, false);
    const response = await this.#post('/chat/completions', asked.body, signal);
    const body = await readJson(response, TEXT_ANSWER_MAX_BYTES, signal);
    return textAnswer(body, asked, this.#apiKey);
  }

  async *streamText(request: TextRequest, signal: AbortSignal): AsyncGenerator<TextPart> {
    const asked = chatBody(request, this.#tokenLimitField, true);
    const response = await this.#post('/chat/completions', asked.body, signal);
    const type = contentTypeOf(response);
    if (type.essence !== 'text/event-stream' || !type.isUtf8 || !response.body) {
      throw await this.#noStream(response, signal);
    }
    yield* readStream(response.body, new ChunkReader(asked, this.#apiKey), signal);
  }

  async generateImage(request: ImageRequest, signal: AbortSignal): Promise<ImageAnswer> {
    const asked = imageBody(request);
    const response = await this.#post('/images/generations', asked.body, signal);
    const body = await readJson(response, IMAGE_ANSWER_MAX_BYTES, signal);
    const { image, usage } = readImageBody(body, this.#apiKey);
    const bytes =
      'bytes' in image ? image.bytes : await fetchImage(image.url, this.#baseUrl, signal);
    return imageAnswer(bytes, usage, asked);
  }

  #post(path: string, body: unknown, signal: AbortSignal): Promise<Response> {
    return postJson({
      url: this.#baseUrl + path,
      headers: this.#headers,
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

/** Leaving the loop early, by an error or by the consumer, closes the connection to the provider. */
async function* readStream(
  body: ReadableStream<Uint8Array>,
  chunks: ChunkReader,
  signal: AbortSignal,
): AsyncGenerator<TextPart> {
  const reader = body.getReader();
  const parser = new SseParser();
  let received = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      received += value?.length ?? 0;
      if (received > TEXT_ANSWER_MAX_BYTES) throw incomprehensible('it is too large');
      for (const { data } of done ? parser.end() : parser.push(value)) {
        const text = chunks.read(data);
        if (text !== '') yield { type: 'text', text };
        if (chunks.done) break;
      }
      if (done || chunks.done) break;
    }
    yield chunks.finish();
  } catch (error) {
    throw readFailure(error, signal);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
