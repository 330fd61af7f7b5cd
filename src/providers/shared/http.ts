import { rootCertificates } from 'node:tls';
import { type StopSignal, toAbortSignal } from '../../lib/stop-signal.ts';
import { noUsage } from '../spec.ts';
import { answerOf, contentTypeOf, readErrorBody, readJson, TEXT_ANSWER_MAX_BYTES } from './body.ts';
import {
  abortFailure,
  acceptedFailure,
  connectFailure,
  contentRefused,
  type ErrorFacts,
  type InnerError,
  malformedAnswer,
  mayHaveBegun,
  parseRetryAfter,
  statusFailure,
} from './failures.ts';
import { NeverSent, WireAgent } from './http1/agent.ts';
import { MalformedResponse } from './http1/body-decoder.ts';
import type { ByteReader, WireAnswer } from './http1/exchange.ts';
import { reportedFailure } from './reported-failure.ts';

/** How a server is called. */
interface ServerAccess {
  headers: Readonly<Record<string, string>>;
  /** The API key in `headers`, kept out of what errors report. */
  secret: string | undefined;
  /** Reads the dialect's error body. */
  explain: (body: unknown) => ErrorFacts;
  /** Additional trusted certificates, PEM. */
  ca?: string | undefined;
}

export interface HttpCall extends ServerAccess {
  url: string;
  /** Undefined: GET, otherwise POST. */
  body: string | undefined;
  /** The deadline aborts it with a `TimeoutError`, the caller with anything else. */
  signal: StopSignal;
}

/**
 * Makes a call with `fetch`.
 * @returns a 2xx answer with its body unread
 * @throws ProviderError for any other outcome
 */
export async function request(call: HttpCall): Promise<WireAnswer> {
  const { url, headers, body, signal, ca } = call;
  let answer: WireAnswer;
  try {
    const response = await fetch(url, {
      headers,
      signal: toAbortSignal(signal),
      ...(body !== undefined && { method: 'POST', body }),
      // A redirect could send the key elsewhere, and would turn the call into a GET.
      redirect: 'manual',
      // The list replaces the default certificates, so it includes them.
      ...(ca !== undefined && { tls: { ca: [...rootCertificates, ca] } }),
    });
    answer = answerOf(response);
  } catch (error) {
    throw connectFailure(error, signal);
  }
  return answer.ok ? answer : refused(answer, call);
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

/** Like `request`, with our own client, which is faster. */
function requestText(call: HttpCall): Promise<WireAnswer> {
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

/** @throws the failure for an answer that is not a 2xx */
async function refused(answer: WireAnswer, call: HttpCall): Promise<never> {
  const retryAfter = parseRetryAfter(answer.headers.get('retry-after'), Date.now());
  if (answer.status < 400) {
    answer.discard();
    throw statusFailure(answer.status, { accepted: false });
  }
  const facts = call.explain(await readErrorBody(answer, call.signal));
  const status = facts.keyRefused ? 401 : answer.status;
  const options = {
    accepted: mayHaveBegun(status),
    status,
    retryAfterSeconds: retryAfter ?? facts.retryAfterSeconds,
    usage: facts.usage,
    reported: reportedFailure(facts.reported, call.secret),
  };
  if (status < 500 && facts.contentRefused) throw contentRefused({ ...options, accepted: true });
  throw statusFailure(status, options);
}

/** Many firewalls refuse calls without a user agent. */
const USER_AGENT = 'Zastava';

/** The part of a request that goes into the headers. */
interface Traced {
  traceparent?: string | undefined;
}

interface JsonClientOptions extends ServerAccess {
  /** A slash at the end is ignored. */
  baseUrl: string;
  /** The error that a JSON answer reports in spite of its status 200, if the dialect has such errors. */
  errorIn?: (answer: unknown) => InnerError | undefined;
}

/**
 * Calls a server that accepts JSON and answers with JSON or an event stream. Paths begin with a slash. All errors are
 * `ProviderError`s.
 */
export class JsonClient {
  readonly #options: JsonClientOptions;
  readonly #baseUrl: string;

  constructor(options: JsonClientOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  /** @returns a 2xx answer with its body unread */
  get(path: string, traced: Traced, signal: StopSignal): Promise<WireAnswer> {
    return request(this.#call(path, undefined, traced, signal));
  }

  /** POSTs with our own HTTP client, for texts. @returns the JSON of the answer */
  async postForJson(path: string, body: unknown, traced: Traced, signal: StopSignal) {
    const answer = await requestText(this.#call(path, body, traced, signal));
    return this.#checked(await readJson(answer, TEXT_ANSWER_MAX_BYTES, signal));
  }

  /**
   * POSTs with `fetch`, for images and embeddings: it supports compression, which our own client does not.
   * @param max bytes of the answer
   * @returns the JSON of the answer
   */
  async postForData(path: string, body: unknown, traced: Traced, signal: StopSignal, max: number) {
    const answer = await request(this.#call(path, body, traced, signal));
    return this.#checked(await readJson(answer, max, signal));
  }

  /** @returns the bytes of an event stream */
  async postForEvents(
    path: string,
    body: unknown,
    traced: Traced,
    signal: StopSignal,
  ): Promise<ByteReader> {
    const answer = await requestText(this.#call(path, body, traced, signal));
    const { essence, isUtf8 } = contentTypeOf(answer);
    if (essence === 'text/event-stream' && isUtf8) return answer;
    // Some servers report an error as a plain JSON body with status 200.
    if (essence !== 'application/json') answer.discard();
    else this.#checked(await readJson(answer, TEXT_ANSWER_MAX_BYTES, signal));
    throw malformedAnswer('it is not an event stream');
  }

  #call(path: string, body: unknown, { traceparent }: Traced, signal: StopSignal): HttpCall {
    const { headers, secret, explain, ca } = this.#options;
    const all = {
      'user-agent': USER_AGENT,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...(traceparent !== undefined && { traceparent }),
    };
    const text = body === undefined ? undefined : JSON.stringify(body);
    return { url: this.#baseUrl + path, headers: all, body: text, signal, secret, explain, ca };
  }

  #checked(answer: unknown): unknown {
    const { errorIn, secret } = this.#options;
    const error = errorIn?.(answer);
    if (error) throw acceptedFailure(error, secret, noUsage);
    return answer;
  }
}
