import { toAbortSignal, type StopSignal } from '../../lib/stop-signal.ts';
import { contentTypeOf, discard, IMAGE_ANSWER_MAX_BYTES, readBytes } from '../shared/body.ts';
import { connectFailure, incomprehensible } from '../shared/failures.ts';
import { callsGoThroughProxy } from '../shared/http.ts';
import { getPublic, type PublicNetwork } from '../shared/public-get.ts';
import { ProviderError } from '../spec.ts';

/**
 * Whether the gateway may fetch an image from where a provider says that it lies: the provider's own
 * origin, or https at a public name. Anything else could be a way into the operator's own network.
 * Where the name leads is asked when it is fetched.
 */
export function mayFetchImage(url: URL, baseUrl: string): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (isOwnOrigin(url, baseUrl)) return true;
  return url.protocol === 'https:' && isPublicName(url.hostname);
}

/** The operator named it, so it may lie inside. */
function isOwnOrigin(url: URL, baseUrl: string): boolean {
  return url.origin !== 'null' && url.origin === URL.parse(baseUrl)?.origin;
}

/** Suffixes that name nothing on the public internet (RFC 6761, 6762, 8375, and the custom of networks). */
const privateSuffixes = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'test', 'invalid'];

function isPublicName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  // `URL` writes every IPv4 form as dotted decimals and IPv6 in brackets; a name's last label has a letter.
  const lastLabel = name.slice(name.lastIndexOf('.') + 1);
  if (!name.includes('.') || !/[a-z]/i.test(lastLabel)) return false;
  return !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

/**
 * Fetches an image that the provider made, without its key and without following redirects. From anywhere
 * but the provider's own origin only from a public address; behind a proxy, from where that lets us.
 * @throws ProviderError `failed`, always as accepted: the image was made, and paid for
 */
export async function fetchImage(
  text: string,
  baseUrl: string,
  signal: StopSignal,
  network?: PublicNetwork,
): Promise<Uint8Array> {
  const url = URL.parse(text);
  if (!url || !mayFetchImage(url, baseUrl)) throw incomprehensible('its image is out of reach');
  const direct = isOwnOrigin(url, baseUrl) || callsGoThroughProxy();
  const response = direct ? await get(url, signal) : await getPublic(url, signal, network);
  if (!response.ok || !contentTypeOf(response).essence.startsWith('image/')) {
    await discard(response);
    throw incomprehensible('its image could not be fetched', { detail: `HTTP ${response.status}` });
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
