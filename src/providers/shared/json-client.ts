import type { StopSignal } from '../../lib/stop-signal.ts';
import { bodyReader, contentTypeOf, discard, readJson, TEXT_ANSWER_MAX_BYTES } from './body.ts';
import type { ErrorFacts } from './error-facts.ts';
import { malformedAnswer } from './failures.ts';
import { request, requestText, type HttpCall } from './http.ts';
import type { ByteReader } from './http1/index.ts';

/** Many firewalls refuse calls without a user agent. */
const USER_AGENT = 'Zastava';

/** The part of a request that goes into the headers. */
export interface Traced {
  traceparent?: string | undefined;
}

export interface JsonClientOptions {
  /** A slash at the end is ignored. */
  baseUrl: string;
  /** Sent with every call, the key among them. */
  headers: Readonly<Record<string, string>>;
  /** The API key, kept out of what errors report. */
  secret: string | undefined;
  /** Reads the dialect's error body. */
  explain: (body: unknown) => ErrorFacts;
  /** Throws the error that a JSON answer reports in spite of its status 200, if the dialect has such errors. */
  throwErrorIn?: (answer: unknown, secret: string | undefined) => void;
  /** Additional trusted certificates, PEM. */
  ca?: string | undefined;
}

/** Calls a server that accepts JSON and answers with JSON or an event stream. All errors are `ProviderError`s. */
export class JsonClient {
  readonly #options: JsonClientOptions;
  readonly #baseUrl: string;

  constructor(options: JsonClientOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  /** @param path begins with a slash @returns a 2xx answer with its body unread */
  get(path: string, traced: Traced, signal: StopSignal): Promise<Response> {
    return request(this.#call('GET', path, traced, signal, undefined));
  }

  /** POSTs with our own HTTP client, for texts. @returns the JSON of the answer */
  async postForJson(
    path: string,
    body: unknown,
    traced: Traced,
    signal: StopSignal,
  ): Promise<unknown> {
    const call = this.#call('POST', path, traced, signal, JSON.stringify(body));
    return this.#checked(await readJson(await requestText(call), TEXT_ANSWER_MAX_BYTES, signal));
  }

  /**
   * POSTs with `fetch`, for images and embeddings: it supports compression, which our own client does not.
   * @param max bytes of the answer
   * @returns the JSON of the answer
   */
  async postForData(
    path: string,
    body: unknown,
    traced: Traced,
    signal: StopSignal,
    max: number,
  ): Promise<unknown> {
    const call = this.#call('POST', path, traced, signal, JSON.stringify(body));
    return this.#checked(await readJson(await request(call), max, signal));
  }

  /** @returns the bytes of an event stream */
  async postForEvents(
    path: string,
    body: unknown,
    traced: Traced,
    signal: StopSignal,
  ): Promise<ByteReader> {
    const call = this.#call('POST', path, traced, signal, JSON.stringify(body));
    const response = await requestText(call);
    const { essence, isUtf8 } = contentTypeOf(response);
    if (essence === 'text/event-stream' && isUtf8) return bodyReader(response);
    // Some servers report an error as a plain JSON body with status 200.
    if (essence !== 'application/json') await discard(response);
    else this.#checked(await readJson(response, TEXT_ANSWER_MAX_BYTES, signal));
    throw malformedAnswer('it is not an event stream');
  }

  #call(
    method: HttpCall['method'],
    path: string,
    { traceparent }: Traced,
    signal: StopSignal,
    body: string | undefined,
  ): HttpCall {
    const { headers, secret, explain, ca } = this.#options;
    return {
      method,
      url: this.#baseUrl + path,
      headers: {
        'user-agent': USER_AGENT,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...(traceparent !== undefined && { traceparent }),
      },
      body,
      signal,
      secret,
      explain,
      ca,
    };
  }

  #checked(answer: unknown): unknown {
    const { throwErrorIn, secret } = this.#options;
    throwErrorIn?.(answer, secret);
    return answer;
  }
}
