import { toAbortSignal, type StopSignal } from '../../lib/stop-signal.ts';
import { contentTypeOf, discard, IMAGE_ANSWER_MAX_BYTES, readBytes } from '../shared/body.ts';
import { connectFailure, malformedAnswer } from '../shared/failures.ts';
import { callsGoThroughProxy } from '../shared/http.ts';
import { getPublic, type PublicNetwork } from '../shared/public-get.ts';
import { ProviderError } from '../spec.ts';

/**
 * Whether the gateway may fetch an image from this address: on the provider's own origin, or by https at a public
 * name. Any other address could lead into the operator's network. What the name resolves to is checked when the
 * image is fetched.
 */
export function mayFetchImage(url: URL, baseUrl: string): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (isOwnOrigin(url, baseUrl)) return true;
  return url.protocol === 'https:' && isPublicName(url.hostname);
}

/** The operator configured this origin, so it may be in a private network. */
function isOwnOrigin(url: URL, baseUrl: string): boolean {
  return url.origin !== 'null' && url.origin === URL.parse(baseUrl)?.origin;
}

/** Suffixes that do not exist on the public internet (RFC 6761, 6762, 8375, and common practice). */
const privateSuffixes = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'test', 'invalid'];

function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  // `URL` normalises IPv4 to dotted decimals and IPv6 to brackets; the last label of a name contains a letter.
  const lastLabel = name.slice(name.lastIndexOf('.') + 1);
  if (!name.includes('.') || !/[a-z]/i.test(lastLabel)) return false;
  return !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

/**
 * Fetches an image that the provider made, without the API key and without following redirects. Outside the
 * provider's own origin the address must be public; behind a proxy, the proxy decides.
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
  const direct = isOwnOrigin(url, baseUrl) || callsGoThroughProxy();
  const response = direct ? await get(url, signal) : await getPublic(url, signal, network);
  if (!response.ok || !contentTypeOf(response).essence.startsWith('image/')) {
    await discard(response);
    throw malformedAnswer('its image could not be fetched', { detail: `HTTP ${response.status}` });
  }
  return readBytes(response, IMAGE_ANSWER_MAX_BYTES, signal);
}

async function get(url: URL, signal: StopSignal): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: toAbortSignal(signal) });
  } catch (error) {
    const failure = connectFailure(error, signal);
    if (failure.fault === 'timeout' || signal.aborted) throw failure;
    throw new ProviderError('failed', 'The image that the provider made could not be fetched.', {
      accepted: true,
      cause: error,
    });
  }
}
