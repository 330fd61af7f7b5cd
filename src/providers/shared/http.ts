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
  /** Aborted with a `TimeoutError` by the deadline, with anything else by the caller. */
  signal: StopSignal;
  /** The key in `headers`, to be kept out of what is told of an error. */
  secret: string | undefined;
  explain: (body: unknown) => ErrorFacts;
  /** Certificates to trust besides the usual ones, PEM. */
  ca?: string | undefined;
}

/**
 * Makes the call and returns the answer, its body unread.
 * @throws ProviderError for everything but a 2xx
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
      // A redirect could carry the key elsewhere, and would turn the call into a GET.
      redirect: 'manual',
      // The list takes the place of the usual certificates, so they stand in it as well.
      ...(ca !== undefined && { tls: { ca: [...rootCertificates, ca] } }),
    });
  } catch (error) {
    throw connectFailure(error, signal);
  }
  if (response.ok) return response;
  return refused(response, call);
}

const agent = new WireAgent();
/** A proxy is a matter of the whole process: `fetch` obeys its variables, our own client knows none. */
let throughProxy = false;

/** Tells which client may be used. Call before the first request. @param env where `HTTPS_PROXY` would stand */
export function obeyProxyVariables(env: Readonly<Record<string, string | undefined>>): void {
  throughProxy = ['http_proxy', 'https_proxy', 'all_proxy'].some(
    (name) => (env[name] ?? env[name.toUpperCase()] ?? '') !== '',
  );
}

/** Whether a proxy makes the connections: then names are resolved there, and not here. */
export function callsGoThroughProxy(): boolean {
  return throughProxy;
}

/**
 * The same for an answer that has no more than text in it, streamed or not: the send path.
 * @throws ProviderError for everything but a 2xx
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

/** @throws ProviderError for what is no 2xx */
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
