import { rootCertificates } from 'node:tls';
import { type StopSignal, toAbortSignal } from '../../lib/stop-signal.ts';
import type { ProviderError } from '../spec.ts';
import {
  bodyReader,
  contentTypeOf,
  discard,
  type HttpAnswer,
  readErrorBody,
  readJson,
  TEXT_ANSWER_MAX_BYTES,
} from './body.ts';
import { type ErrorFacts, mayHaveBegun, statusFailure } from './error-facts.ts';
import { abortFailure, connectFailure, contentRefused, malformedAnswer } from './failures.ts';
import { type ByteReader, MalformedResponse, NeverSent, WireAgent } from './http1/index.ts';
import { parseRetryAfter } from './retry-after.ts';
import { reportedFailure } from './reported-failure.ts';

export interface HttpCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** The deadline aborts it with a `TimeoutError`, the caller with anything else. */
  signal: StopSignal;
  /** The API key in `headers`, kept out of what errors report. */
  secret: string | undefined;
  explain: (body: unknown) => ErrorFacts;
  /** Additional trusted certificates, PEM. */
  ca?: string | undefined;
}

/**
 * Makes a call with `fetch`.
 * @returns a 2xx answer with its body unread
 * @throws ProviderError for any other outcome
 */
export async function request(call: HttpCall): Promise<Response> {
  const { method, headers, signal, ca } = call;
  let response: Response;
  try {
    response = await fetch(call.url, {
      method,
      headers,
      signal: toAbortSignal(signal),
      ...(call.body !== undefined && { body: call.body }),
      // A redirect could send the key elsewhere, and would turn the call into a GET.
      redirect: 'manual',
      // The list replaces the default certificates, so it includes them.
      ...(ca !== undefined && { tls: { ca: [...rootCertificates, ca] } }),
    });
  } catch (error) {
    throw connectFailure(error, signal);
  }
  if (response.ok) return response;
  return refused(response, call);
}

const agent = new WireAgent();
/** `fetch` obeys the proxy variables of the process, our own client does not support proxies. */
let throughProxy = false;

/** Chooses the client. Call it before the first request. @param env the process environment */
export function obeyProxyVariables(env: Readonly<Record<string, string | undefined>>): void {
  throughProxy = ['http_proxy', 'https_proxy', 'all_proxy'].some(
    (name) => (env[name] ?? env[name.toUpperCase()] ?? '') !== '',
  );
}

/** Whether a proxy makes the connections. Then the proxy resolves names. */
export function callsGoThroughProxy(): boolean {
  return throughProxy;
}

/**
 * Makes a call for a text, whole or streamed, with our own client, which is faster.
 * @returns a 2xx answer with its body unread
 * @throws ProviderError for any other outcome
 */
export function requestText(call: HttpCall): Promise<HttpAnswer> {
  const { url, headers, body, signal, ca } = call;
  if (body === undefined || ca !== undefined || throughProxy) return request(call);
  return agent.post({ url, headers, body, signal }).then(
    (answer) => (answer.ok ? answer : refused(answer, call)),
    (error: unknown) => {
      if (error instanceof NeverSent) throw abortFailure(signal, false);
      if (error instanceof MalformedResponse)
        throw malformedAnswer(error.message, { cause: error });
      throw connectFailure(error, signal);
    },
  );
}

async function refused(response: HttpAnswer, call: HttpCall): Promise<never> {
  throw await answeredFailure(response, call);
}

async function answeredFailure(response: HttpAnswer, call: HttpCall): Promise<ProviderError> {
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'), Date.now());
  if (response.status < 400) {
    await discard(response);
    return statusFailure(response.status, { accepted: false });
  }
  const facts = call.explain(await readErrorBody(response, call.signal));
  const status = facts.keyRefused ? 401 : response.status;
  const options = {
    accepted: mayHaveBegun(status),
    status,
    retryAfterSeconds: retryAfter ?? facts.retryAfterSeconds,
    usage: facts.usage,
    reported: reportedFailure(facts.reported, call.secret),
  };
  if (status < 500 && facts.contentRefused) return contentRefused({ ...options, accepted: true });
  return statusFailure(status, options);
}

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
