import { Readable } from 'node:stream';
import { AddressGuard } from '../../lib/network/addresses.ts';
import { openPinned, portOf, type PinnedTarget } from '../../lib/network/pinned-request.ts';
import { systemResolver } from '../../lib/network/resolver.ts';
import { vetHost, type HostRules } from '../../lib/network/vetted-host.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { ProviderError } from '../spec.ts';
import { abortFailure, malformedAnswer } from './failures.ts';

/** How names become addresses, and which addresses may be connected to. */
export interface PublicNetwork extends HostRules {
  /** Certificate authorities to trust instead of the well-known ones, PEM. */
  ca?: readonly string[];
}

const internet: PublicNetwork = { guard: new AddressGuard([]), resolver: systemResolver };

/**
 * GETs a public https URL that a provider returned. The name is resolved once, all its addresses are vetted, and the
 * connection is made to one of them, without credentials and redirects; TLS verifies the name.
 * @throws ProviderError, always as accepted, for anything but a 200: the provider has already done its work
 */
export async function getPublic(
  url: URL,
  signal: StopSignal,
  network: PublicNetwork = internet,
): Promise<Response> {
  try {
    const target = await untilAborted(targetOf(url, network), signal);
    const { response: answer, close } = await openPinned(url, target, {
      headers: { 'accept-encoding': 'identity' },
      signal,
      ca: network.ca,
      failure: (_fault, detail, cause) => cause ?? new Error(detail),
    });
    const { statusCode: status, headers } = answer;
    if (status !== 200) {
      close();
      throw malformedAnswer('its file could not be fetched', { detail: `HTTP ${status}` });
    }
    const names = ['content-type', 'content-length', 'content-encoding'] as const;
    const kept = names.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value] as [string, string]];
    });
    return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { headers: kept });
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
