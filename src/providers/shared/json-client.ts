import type { StopSignal } from '../../lib/stop-signal.ts';
import type { ProviderError } from '../spec.ts';
import {
  bodyReader,
  contentTypeOf,
  discard,
  readJson,
  TEXT_ANSWER_MAX_BYTES,
  type HttpAnswer,
} from './body.ts';
import { malformedAnswer } from './failures.ts';
import type { ErrorFacts } from './error-facts.ts';
import { request, requestText, type HttpCall } from './http.ts';
import type { ByteReader } from './http1/index.ts';
import { asRecord, type JsonRecord } from './json.ts';

/** Firewalls before many servers refuse a call that does not say what makes it. */
const USER_AGENT = 'Zastava';

/** What of a request goes into its headers. */
export interface Traced {
  traceparent?: string | undefined;
}

export interface JsonClientOptions {
  /** A slash at its end does not matter. */
  baseUrl: string;
  /** Sent with every call, the key among them. */
  headers: Readonly<Record<string, string>>;
  /** The key, to be kept out of what is told of an error. */
  secret: string | undefined;
  /** Reads a dialect's own error body. */
  explain: (body: unknown) => ErrorFacts;
  /** An error that a dialect tells inside an answer that began with 200; undefined when there is none. */
  errorInAnswer: (body: JsonRecord, secret: string | undefined) => ProviderError | undefined;
  /** Certificates to trust besides the usual ones, PEM. */
  ca?: string | undefined;
}

/** Calls one server that takes JSON and answers with JSON or with events. Throws `ProviderError` alone. */
export class JsonClient {
  readonly #options: JsonClientOptions;
  readonly #baseUrl: string;

  constructor(options: JsonClientOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  /** A 2xx answer, its body unread. @param path begins with a slash */
  get(path: string, traced: Traced, signal: StopSignal): Promise<Response> {
    return request(this.#call('GET', path, traced, signal, undefined));
  }

  /** A text and the like, over our own client. */
  async postForJson(
    path: string,
    body: unknown,
    traced: Traced,
    signal: StopSignal,
  ): Promise<unknown> {
    const call = this.#call('POST', path, traced, signal, JSON.stringify(body));
    return readJson(await requestText(call), TEXT_ANSWER_MAX_BYTES, signal);
  }

  /** Images and embeddings: worth compressing, which our own client leaves out. @param max bytes of the answer */
  async postForData(
    path: string,
    body: unknown,
    traced: Traced,
    signal: StopSignal,
    max: number,
  ): Promise<unknown> {
    const call = this.#call('POST', path, traced, signal, JSON.stringify(body));
    return readJson(await request(call), max, signal);
  }

  /** The bytes of an event stream. */
  async postForEvents(
    path: string,
    body: unknown,
    traced: Traced,
    signal: StopSignal,
  ): Promise<ByteReader> {
    const call = this.#call('POST', path, traced, signal, JSON.stringify(body));
    const response = await requestText(call);
    const type = contentTypeOf(response);
    if (type.essence === 'text/event-stream' && type.isUtf8) return bodyReader(response);
    throw await this.#noStream(response, signal);
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

  /** Some servers answer a call for a stream with the error as a plain JSON body under status 200. */
  async #noStream(response: HttpAnswer, signal: StopSignal): Promise<Error> {
    if (contentTypeOf(response).essence !== 'application/json') {
      await discard(response);
      return malformedAnswer('it is no event stream');
    }
    const body = asRecord(await readJson(response, TEXT_ANSWER_MAX_BYTES, signal));
    const error = body && this.#options.errorInAnswer(body, this.#options.secret);
    return error ?? malformedAnswer('it is no event stream');
  }
}
