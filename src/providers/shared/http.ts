import { type PassedTexts, withPassedTexts } from '../../lib/passed-texts.ts';
import { type StopSignal, toAbortSignal } from '../../lib/stop-signal.ts';
import { noUsage, ProviderError } from '../spec.ts';
import {
  answerOf,
  contentTypeOf,
  readBytes,
  readErrorBody,
  readJson,
  TEXT_ANSWER_MAX_BYTES,
} from './body.ts';
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
import { withExtra } from './merge.ts';
import { reportedFailure, type Secrets } from './reported-failure.ts';
import { asRecord, type JsonRecord } from './wire.ts';

interface ServerAccess {
  headers: Readonly<Record<string, string>>;
  /** The secrets in `headers`, removed from errors that are reported. */
  secret: Secrets;
  /** Reads the dialect's error body. */
  explain: (body: unknown) => ErrorFacts;
  /** Additional trusted certificates, PEM. */
  ca?: string | undefined;
}

export interface HttpCall extends ServerAccess {
  url: string;
  /** Undefined: GET, otherwise POST. */
  body: string | readonly Uint8Array[] | FormData | undefined;
  /** The deadline aborts it with a `TimeoutError`, the caller with anything else. */
  signal: StopSignal;
}

/** Makes a call with `fetch`. @returns a 2xx answer with its body unread @throws ProviderError for any other outcome */
export async function request(call: HttpCall): Promise<WireAnswer> {
  const { url, headers, body, signal, ca } = call;
  let answer: WireAnswer;
  try {
    const response = await fetch(url, {
      headers,
      signal: toAbortSignal(signal),
      ...(body !== undefined && {
        method: 'POST',
        body: typeof body === 'string' || body instanceof FormData ? body : Buffer.concat(body),
      }),
      // A redirect could send the key elsewhere, and would turn the call into a GET.
      redirect: 'manual',
      ...(ca !== undefined && { tls: { ca: await withDefaultCertificates(ca) } }),
    });
    answer = answerOf(response);
  } catch (error) {
    throw connectFailure(error, signal);
  }
  return answer.ok ? answer : refused(answer, call);
}

/** A list replaces the default certificates, so it includes them. They are read only if they are needed. */
async function withDefaultCertificates(ca: string): Promise<string[]> {
  const { rootCertificates } = await import('node:tls');
  return [...rootCertificates, ca];
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
  const isForm = body instanceof FormData;
  if (body === undefined || isForm || ca !== undefined || throughProxy) return request(call);
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

/** Whether the server has no such path. It did not begin any work. */
function isMissing(error: unknown): boolean {
  return error instanceof ProviderError && (error.status === 404 || error.status === 405);
}

/** Many firewalls refuse calls without a user agent. */
const USER_AGENT = 'Zastava';

/** Longer bodies are sent as bytes, so that their text is free at once: as text, two copies would stay until the answer. */
const LONG_BODY_CHARS = 64 * 1024;

function piecesOf(json: string, passed: PassedTexts | undefined): string | readonly Uint8Array[] {
  if (passed) return withPassedTexts(passed, json);
  return json.length > LONG_BODY_CHARS ? [Buffer.from(json)] : json;
}

/** The parts of a request other than its body. */
interface Traced {
  traceparent?: string | undefined;
  passed?: PassedTexts | undefined;
}

interface JsonClientOptions extends ServerAccess {
  /** A slash at the end is ignored. */
  baseUrl: string;
  /** Tried if the server has no such path below `baseUrl`, and kept if it has the path there. */
  otherBaseUrl?: string | undefined;
  /** The error that a JSON answer reports despite its status 200, if the dialect has such errors. */
  errorIn?: (answer: unknown) => InnerError | undefined;
  /** The operator's fields for the bodies of texts. */
  extraBody?: JsonRecord | undefined;
}

/**
 * Calls a server that accepts JSON and answers with JSON or an event stream. Paths begin with a slash. All errors are
 * `ProviderError`s.
 */
export class JsonClient {
  readonly #options: JsonClientOptions;
  #baseUrl: string;
  #otherBaseUrl: string | undefined;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #headersWithBody: Readonly<Record<string, string>>;

  constructor(options: JsonClientOptions) {
    this.#options = options;
    this.#otherBaseUrl = options.otherBaseUrl;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#headers = { 'user-agent': USER_AGENT, ...options.headers };
    this.#headersWithBody = {
      'user-agent': USER_AGENT,
      'content-type': 'application/json',
      ...options.headers,
    };
  }

  /** @returns a 2xx answer with its body unread */
  get(path: string, traced: Traced, signal: StopSignal): Promise<WireAnswer> {
    return request(this.#call(path, undefined, traced, signal));
  }

  /** POSTs with our own HTTP client, for texts. @returns the JSON of the answer */
  async postForJson(path: string, body: unknown, traced: Traced, signal: StopSignal) {
    const call = this.#call(path, this.#extended(body), traced, signal);
    const answer = await this.#send(requestText, call, path);
    return this.#checked(await readJson(answer, TEXT_ANSWER_MAX_BYTES, signal));
  }

  /**
   * POSTs with `fetch`, for images and embeddings: it supports compression, which our own client does not.
   * @param max bytes of the answer
   * @returns the JSON of the answer
   */
  async postForData(path: string, body: unknown, traced: Traced, signal: StopSignal, max: number) {
    const answer = await this.#send(request, this.#call(path, body, traced, signal), path);
    return this.#checked(await readJson(answer, max, signal));
  }

  /** POSTs files with `fetch`. @returns the JSON of the answer */
  async postForm(path: string, form: FormData, traced: Traced, signal: StopSignal, max: number) {
    const answer = await this.#send(request, this.#call(path, form, traced, signal), path);
    return this.#checked(await readJson(answer, max, signal));
  }

  /** POSTs with `fetch`. @returns the bytes of an answer that is neither JSON nor a page */
  async postForBytes(path: string, body: unknown, traced: Traced, signal: StopSignal, max: number) {
    const answer = await this.#send(request, this.#call(path, body, traced, signal), path);
    const { essence } = contentTypeOf(answer);
    if (essence !== 'application/json' && !essence.startsWith('text/')) {
      return readBytes(answer, max, signal);
    }
    if (essence !== 'application/json') answer.discard();
    else this.#checked(await readJson(answer, TEXT_ANSWER_MAX_BYTES, signal));
    throw malformedAnswer('it is a text');
  }

  /** @returns the bytes of an event stream */
  async postForEvents(
    path: string,
    body: unknown,
    traced: Traced,
    signal: StopSignal,
  ): Promise<ByteReader> {
    const call = this.#call(path, this.#extended(body), traced, signal);
    const answer = await this.#send(requestText, call, path);
    const { essence, isUtf8 } = contentTypeOf(answer);
    if (essence === 'text/event-stream' && isUtf8) return answer;
    // Some servers report an error as a plain JSON body with status 200.
    if (essence !== 'application/json') answer.discard();
    else this.#checked(await readJson(answer, TEXT_ANSWER_MAX_BYTES, signal));
    throw malformedAnswer('it is not an event stream');
  }

  #send(send: typeof request, call: HttpCall, path: string): Promise<WireAnswer> {
    return this.#otherBaseUrl === undefined ? send(call) : this.#sendToEither(send, call, path);
  }

  /** Tries both addresses until it is known which one the server uses. */
  async #sendToEither(send: typeof request, call: HttpCall, path: string): Promise<WireAnswer> {
    const other = this.#otherBaseUrl ?? this.#baseUrl;
    try {
      const answer = await send(call);
      this.#otherBaseUrl = undefined;
      return answer;
    } catch (error) {
      if (!isMissing(error)) throw error;
      try {
        const answer = await send({ ...call, url: other + path });
        this.#keep(other);
        return answer;
      } catch (second) {
        if (isMissing(second)) throw error;
        if (second instanceof ProviderError && second.status !== undefined) this.#keep(other);
        throw second;
      }
    }
  }

  #keep(baseUrl: string): void {
    this.#baseUrl = baseUrl;
    this.#otherBaseUrl = undefined;
  }

  #extended(body: unknown): unknown {
    const { extraBody } = this.#options;
    return extraBody === undefined ? body : withExtra(asRecord(body) ?? {}, extraBody);
  }

  #call(path: string, given: unknown, traced: Traced, signal: StopSignal): HttpCall {
    const { traceparent, passed } = traced;
    const { secret, explain, ca } = this.#options;
    const isForm = given instanceof FormData;
    // `fetch` itself sets the type of a form, which includes its boundary.
    const usual = given === undefined || isForm ? this.#headers : this.#headersWithBody;
    const headers = traceparent === undefined ? usual : { ...usual, traceparent };
    const text = given === undefined || isForm ? undefined : JSON.stringify(given);
    const body = text === undefined ? undefined : piecesOf(text, passed);
    const url = this.#baseUrl + path;
    return { url, headers, body: isForm ? given : body, signal, secret, explain, ca };
  }

  #checked(answer: unknown): unknown {
    const { errorIn, secret } = this.#options;
    const error = errorIn?.(answer);
    if (error) throw acceptedFailure(error, secret, noUsage);
    return answer;
  }
}
