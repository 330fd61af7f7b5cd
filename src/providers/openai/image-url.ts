import { Readable } from 'node:stream';
import { AddressGuard } from '../../lib/network/addresses.ts';
import { openPinned, portOf, type PinnedTarget } from '../../lib/network/pinned-request.ts';
import { systemResolver } from '../../lib/network/resolver.ts';
import { vetHost, type HostRules } from '../../lib/network/vetted-host.ts';
import { toAbortSignal, type StopSignal } from '../../lib/stop-signal.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { answerOf, contentTypeOf, IMAGE_ANSWER_MAX_BYTES, readBytes } from '../shared/body.ts';
import { abortFailure, connectFailure, malformedAnswer } from '../shared/failures.ts';
import { callsGoThroughProxy } from '../shared/http.ts';
import { ProviderError } from '../spec.ts';

/** How names become addresses, and which addresses may be connected to. */
export interface PublicNetwork extends HostRules {
  /** Certificate authorities to trust instead of the well-known ones, PEM. */
  ca?: readonly string[];
}

const internet: PublicNetwork = { guard: new AddressGuard([]), resolver: systemResolver };

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
  const answer = answerOf(response);
  if (!answer.ok || !contentTypeOf(answer).essence.startsWith('image/')) {
    answer.discard();
    throw malformedAnswer('its image could not be fetched', { detail: `HTTP ${answer.status}` });
  }
  return readBytes(answer, IMAGE_ANSWER_MAX_BYTES, signal);
}

async function get(url: URL, signal: StopSignal): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: toAbortSignal(signal) });
  } catch (error) {
    const failure = connectFailure(error, signal);
    throw failure.fault === 'timeout' || signal.aborted ? failure : outOfReach('', error);
  }
}

/**
 * GETs a public https URL that a provider returned. The name is resolved once, all its addresses are vetted, and the
 * connection is made to one of them, without credentials and redirects; TLS verifies the name.
 * @throws ProviderError for anything but a 200, always as accepted
 */
export async function getPublic(
  url: URL,
  signal: StopSignal,
  network: PublicNetwork = internet,
): Promise<Response> {
  try {
    const target = await untilAborted(targetOf(url, network), signal);
    const { response, close } = await openPinned(url, target, {
      headers: { 'accept-encoding': 'identity' },
      signal,
      ca: network.ca,
      failure: (_fault, detail, cause) => cause ?? new Error(detail),
    });
    const { statusCode: status, headers } = response;
    if (status !== 200) {
      close();
      throw malformedAnswer('its image could not be fetched', { detail: `HTTP ${status}` });
    }
    const body = Readable.toWeb(response) as ReadableStream<Uint8Array>;
    return new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } });
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    if (signal.aborted) throw abortFailure(signal);
    throw outOfReach('', error);
  }
}

async function targetOf(url: URL, network: PublicNetwork): Promise<PinnedTarget> {
  const port = portOf(url);
  if (url.protocol !== 'https:' || port === undefined) throw outOfReach('its address is not https');
  const found = await vetHost(url, network);
  if (found.permitted) return { addresses: found.addresses, port };
  if (found.reason === 'denied') throw outOfReach(`its address is not public: ${found.why}`);
  throw outOfReach('its name has no address');
}

function outOfReach(detail: string, cause?: unknown): ProviderError {
  const message = 'The file that the provider made could not be fetched.';
  return new ProviderError('failed', message, { accepted: true, detail, cause });
}
