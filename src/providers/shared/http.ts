import { rootCertificates } from 'node:tls';
import { toAbortSignal, type StopSignal } from '../../lib/stop-signal.ts';
import type { ProviderError } from '../spec.ts';
import { discard, readErrorBody, type HttpAnswer } from './body.ts';
import { mayHaveBegun, statusFailure, type ErrorFacts } from './error-facts.ts';
import { abortFailure, connectFailure, contentRefused, malformedAnswer } from './failures.ts';
import { MalformedResponse, NeverSent, WireAgent } from './http1/index.ts';
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
