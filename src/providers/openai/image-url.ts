import { toAbortSignal, type StopSignal } from '../../lib/stop-signal.ts';
import { answerOf, contentTypeOf, IMAGE_ANSWER_MAX_BYTES, readBytes } from '../shared/body.ts';
import { abortFailure, connectFailure, malformedAnswer } from '../shared/failures.ts';
import { isPublicUrl, openPublic, type PublicNetwork } from '../shared/public-get.ts';
import { ProviderError } from '../spec.ts';

/**
 * Whether the gateway may fetch an image from this address: on the provider's own origin, or by https at a public name.
 * Any other address could lead into the operator's network. The addresses of the name are checked when the image is
 * fetched.
 */
export function mayFetchImage(url: URL, baseUrl: string): boolean {
  if (url.username !== '' || url.password !== '') return false;
  return isOwnOrigin(url, baseUrl) || isPublicUrl(url);
}

/** The operator configured this origin, so it may be in a private network. */
function isOwnOrigin(url: URL, baseUrl: string): boolean {
  return url.origin !== 'null' && url.origin === URL.parse(baseUrl)?.origin;
}

/**
 * Fetches an image that the provider made, without the API key and without following redirects. Outside the
 * provider's own origin the address must be public.
 * @throws ProviderError `failed`, always as accepted: the image was made and is paid for
 */
export async function fetchImage(
  text: string,
  baseUrl: string,
  signal: StopSignal,
  network?: PublicNetwork,
): Promise<Uint8Array> {
  const url = URL.parse(text);
  if (!url || !mayFetchImage(url, baseUrl))
    throw malformedAnswer('the address of its image is not allowed');
  const response = isOwnOrigin(url, baseUrl)
    ? await getOwn(url, signal)
    : await getPublic(url, signal, network);
  const answer = answerOf(response);
  if (!answer.ok || !contentTypeOf(answer).essence.startsWith('image/')) {
    answer.discard();
    throw malformedAnswer('its image could not be fetched', { detail: `HTTP ${answer.status}` });
  }
  return readBytes(answer, IMAGE_ANSWER_MAX_BYTES, signal);
}

async function getOwn(url: URL, signal: StopSignal): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: toAbortSignal(signal) });
  } catch (error) {
    throw unfetched(error, signal);
  }
}

/**
 * GETs a public https URL that a provider returned.
 * @throws ProviderError for anything but a 200, always as accepted
 */
export async function getPublic(
  url: URL,
  signal: StopSignal,
  network?: PublicNetwork,
): Promise<Response> {
  let response: Response;
  try {
    response = await openPublic(url, signal, network);
  } catch (error) {
    throw unfetched(error, signal);
  }
  if (response.status === 200) return response;
  const detail = `HTTP ${response.status}`;
  throw malformedAnswer('its image could not be fetched', { detail });
}

function unfetched(error: unknown, signal: StopSignal): ProviderError {
  if (signal.aborted) return abortFailure(signal);
  const failure = connectFailure(error, signal);
  if (failure.fault === 'timeout') return failure;
  const message = 'The file that the provider made could not be fetched.';
  const detail = error instanceof Error ? error.message : '';
  return new ProviderError('failed', message, { accepted: true, detail, cause: error });
}
