/** Wrong messages in WebSocket mode of `/v1/responses`: each is answered, and none ends the process. */
import { HandshakeRefused, LAST_EVENT, overSocket } from '../support/over-socket.ts';
import { randomFrom } from '../support/random.ts';
import type { Route } from '../support/routes.ts';
import type { Judged, Patient } from './answer.ts';
import { wrongIn } from './judge.ts';
import { fuzzedRequest, type Credentials } from './requests.ts';

/** The share of messages that are of the right type. */
const CREATES = 0.9;

/** A message derived from a number: a request to `/v1/responses` with one fault in it, or none. */
function fuzzedMessage(
  seed: number,
  index: number,
  routes: readonly Route[],
  credentials: Credentials,
): string {
  const responses = routes.filter(
    ({ path, method }) => path === '/v1/responses' && method === 'POST',
  );
  const { body } = fuzzedRequest(seed, index, responses, credentials);
  const text = Buffer.from(body ?? []).toString();
  if (randomFrom(seed + index)() > CREATES || !text.startsWith('{')) return text;
  return `{"type":"response.create",${text.slice(1)}`;
}

/** @returns the worst status in the answers, and the problems of the answers */
export async function fuzzSocket(
  { url, seed, index }: { url: string; seed: number; index: number },
  routes: readonly Route[],
  credentials: Credentials,
  { time, patienceMs }: Patient,
): Promise<Judged> {
  const message = fuzzedMessage(seed, index, routes, credentials);
  const headers = { authorization: `Bearer ${credentials.user}` };
  const problems: string[] = [];
  using patience = time.patience(patienceMs);
  try {
    for await (const data of overSocket(url, headers, message, patience.signal)) {
      const { type = '', status = 200 } = JSON.parse(data) as { type?: string; status?: number };
      problems.push(...wrongIn(status, 'application/json', data));
      if (LAST_EVENT.test(type)) return { status, problems };
    }
  } catch (error) {
    const isLate = patience.signal.aborted;
    if (error instanceof HandshakeRefused && !isLate) return { status: 429, problems };
    problems.push(isLate ? 'no answer over a socket' : `a socket: ${String(error)}`);
  }
  return { status: 0, problems };
}
