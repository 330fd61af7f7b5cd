import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { AddressGuard } from '../../lib/network/addresses.ts';
import { pinned } from '../../lib/network/pinned-lookup.ts';
import { systemResolver, type Resolver } from '../../lib/network/resolver.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { ProviderError } from '../spec.ts';
import { abortFailure, incomprehensible } from './failures.ts';

/** How names become addresses, and which addresses may be connected to. */
export interface PublicNetwork {
  guard: AddressGuard;
  resolver: Resolver;
  /** Certificate authorities to trust instead of the well-known ones, in PEM. */
  ca?: readonly string[];
}

const internet: PublicNetwork = { guard: new AddressGuard([]), resolver: systemResolver };

/**
 * GETs what lies at a public https name that a provider told: the name is resolved once, all its addresses
 * are vetted, and the connection is made to these. No credentials, no redirects, TLS verified by the name.
 * @throws ProviderError as accepted, for whatever is no 200: the provider's work was done before
 */
export async function getPublic(
  url: URL,
  signal: StopSignal,
  network: PublicNetwork = internet,
): Promise<Response> {
  try {
    const addresses = await untilAborted(vettedAddresses(url, network), signal);
    const answer = await open(url, addresses, signal, network.ca);
    const { statusCode: status, headers } = answer;
    if (status !== 200) {
      answer.destroy();
      throw incomprehensible('its file could not be fetched', { detail: `HTTP ${status}` });
    }
    const told = ['content-type', 'content-length', 'content-encoding'] as const;
    const kept = told.flatMap((name) => {
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

/** All or none: a name that also points inside is an attack or a mistake, and either is refused. */
async function vettedAddresses(url: URL, { guard, resolver }: PublicNetwork): Promise<string[]> {
  const addresses = await resolver(url.hostname.replace(/\.$/, ''));
  const verdicts = addresses.map((address) => guard.vet(address));
  const denied = verdicts.find(({ permitted }) => !permitted);
  if (denied) throw outOfReach(`its address is not public: ${denied.why}`);
  if (addresses.length === 0) throw outOfReach('its name has no address');
  return [...addresses];
}

/** Resolves with the answer's head; the connection is of this answer alone. */
function open(
  url: URL,
  addresses: readonly string[],
  signal: StopSignal,
  ca: readonly string[] | undefined,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = https.request({
    hostname: url.hostname,
    port: url.port === '' ? 443 : Number(url.port),
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    agent: false,
    lookup: pinned(addresses),
    headers: { host: url.host, 'accept-encoding': 'identity', connection: 'close' },
    // Stated, since NODE_TLS_REJECT_UNAUTHORIZED in the environment would switch it off.
    rejectUnauthorized: true,
    ...{ ALPNProtocols: ['http/1.1'] },
    ...(ca && { ca: [...ca] }),
  });
  let answer: IncomingMessage | undefined;
  const onAbort = () => {
    const failure = abortFailure(signal);
    reject(failure);
    answer?.destroy(failure);
    request.destroy(failure);
  };
  const done = () => signal.removeEventListener('abort', onAbort);
  signal.addEventListener('abort', onAbort);
  request.on('error', reject);
  request.on('close', () => {
    // Bun ends some failed connections without an error.
    reject(new Error('closed without an answer'));
    if (!answer) done();
  });
  request.on('response', (response) => {
    answer = response;
    // Whoever reads the body is told; unread, it must not end the process.
    response.on('error', () => undefined);
    response.on('close', done);
    resolve(response);
  });
  if (signal.aborted) onAbort();
  else request.end();
  return promise;
}

function outOfReach(detail: string, cause?: unknown): ProviderError {
  const message = 'The file that the provider made could not be fetched.';
  return new ProviderError('failed', message, { accepted: true, detail, cause });
}
