/** The requests and answers of a client: the third of the three records that must agree. */
import { eventsOf } from '../../support/event-stream.ts';
import { post } from './client.ts';
import { modelOf, TEXT } from './catalogue.ts';
import { HandshakeRefused, overSocket } from './over-socket.ts';
import { becomesTrue } from './until.ts';
import { ways, type Way, type WayName } from './ways.ts';

/** How long a response in the background may run. */
const BACKGROUND_MS = 120_000;

export type Seen =
  | {
      how: 'answered';
      id: number;
      response: string;
      /** Micro-rubles. */
      costRequest: number;
      costResponse: number;
      warnings: string[];
    }
  /** Answered under `/v1`, which shows less: a text, if there is one, and the charge in micro-rubles. */
  | { how: 'abridged'; text: string | undefined; cost: number }
  /** An error: nothing may be charged. */
  | { how: 'refused'; status: number; code: string }
  /** The client disconnected, after this text. */
  | { how: 'left'; text: string }
  /** The connection broke: it may have been charged or not. */
  | { how: 'unknown' };

export interface ClientEntry {
  /** Words that no other send has. */
  message: string;
  roomId: string;
  /** The model; text by default. */
  ai?: number;
  stream?: boolean;
  /** An interface under `/v1`; `/ai/send/` by default. */
  way?: WayName | undefined;
  /** A streamed response in WebSocket mode. */
  socket?: boolean | undefined;
  /** It continues when its client leaves; only for `/ai/send/`. */
  detached?: boolean | undefined;
  /** A response in the background, which is read until it is complete. */
  background?: boolean | undefined;
  /** An idempotency key. */
  key?: string | undefined;
  cap?: number;
  seen: Seen;
}

/** How many sends were refused with an error. */
export function refusedIn(log: readonly ClientEntry[]): number {
  return log.filter(({ seen }) => seen.how === 'refused').length;
}

/** Sends that were neither answered nor refused because of the database: the result of each. */
export function oddIn(log: readonly ClientEntry[]): string[] {
  return log.flatMap(({ message, seen }) =>
    seen.how === 'answered' || (seen.how === 'refused' && seen.code === 'overloaded')
      ? []
      : [`${message}: ${JSON.stringify(seen)}`],
  );
}

/** A new line of the log, without a result. */
export function entry(of: Omit<ClientEntry, 'seen'>): ClientEntry {
  return { ...of, seen: { how: 'unknown' } };
}

/** @param leave aborted when the client disconnects */
export async function send(
  url: string,
  token: string,
  line: ClientEntry,
  leave?: AbortSignal,
): Promise<Seen> {
  const by = line.way ? sendInWay : line.stream ? streamed : plain;
  line.seen = await by(url, token, line, leave);
  return line.seen;
}

function bodyOf({ roomId, ai = TEXT, message, cap = 50, stream, detached }: ClientEntry) {
  const how = { ...(stream && { stream }), ...(detached && { detached }) };
  return { room_id: roomId, ai, message, max_output_tokens: cap, ...how };
}

async function plain(
  url: string,
  token: string,
  line: ClientEntry,
  leave?: AbortSignal,
): Promise<Seen> {
  const answer = await post(url, token, '/ai/send/', bodyOf(line), keyOf(line), leave);
  if (leave?.aborted) return { how: 'left', text: '' };
  if (!answer) return { how: 'unknown' };
  if (answer.status === 200) return answered(answer.data);
  return { how: 'refused', status: answer.status, code: answer.code ?? '' };
}

async function streamed(
  url: string,
  token: string,
  line: ClientEntry,
  leave?: AbortSignal,
): Promise<Seen> {
  let text = '';
  try {
    const response = await fetch(`${url}/ai/send/`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...keyOf(line),
      },
      body: JSON.stringify(bodyOf(line)),
      ...(leave && { signal: leave }),
    });
    if (response.status !== 200) {
      const { error } = (await response.json()) as { error: { code: string } };
      return { how: 'refused', status: response.status, code: error.code };
    }
    for await (const { event, data } of eventsOf(response)) {
      if (event === 'delta') text += String(data['text']);
      if (event === 'done') return answered(data);
      if (event === 'error') return { how: 'refused', status: 200, code: String(data['code']) };
    }
  } catch {
    // Determined by what arrives next.
  }
  return leave?.aborted ? { how: 'left', text } : { how: 'unknown' };
}

async function sendInWay(
  url: string,
  token: string,
  line: ClientEntry,
  leave?: AbortSignal,
): Promise<Seen> {
  const way: Way = ways[line.way ?? 'chat'];
  const body = bodyInWay(way, line);
  const text: string[] = [];
  const credentials = { authorization: `Bearer ${token}`, 'x-room-id': line.roomId };
  try {
    if (line.socket && !(body instanceof FormData)) {
      const message = JSON.stringify({ type: 'response.create', ...body });
      return await readEvents(way, overSocket(url, credentials, message, leave), text);
    }
    const response = await fetch(url + way.path, {
      method: 'POST',
      headers: {
        ...credentials,
        ...keyOf(line),
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
      ...(leave && { signal: leave }),
    });
    if (response.status !== 200) {
      const { error } = (await response.json()) as { error: { code: string } };
      return { how: 'refused', status: response.status, code: error.code };
    }
    if (line.background) return await readBackground(url, way, response, credentials, leave);
    return await (line.stream ? readEvents(way, dataOf(response), text) : readWhole(way, response));
  } catch (error) {
    if (leave?.aborted) return { how: 'left', text: text.join('') };
    const isRefused = error instanceof HandshakeRefused;
    return isRefused ? { how: 'refused', status: 429, code: 'overloaded' } : { how: 'unknown' };
  }
}

function bodyInWay(way: Way, line: ClientEntry): Record<string, unknown> | FormData {
  const body = way.body({ cap: 50, ...line });
  const model = String(line.ai ?? modelOf[way.modality]);
  if (!(body instanceof FormData)) {
    return { ...body, model, ...(line.background && { background: true }) };
  }
  body.append('model', model);
  return body;
}

async function readWhole(way: Way, response: Response): Promise<Seen> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const answer = isJson ? await response.json() : { 'x-cost': response.headers.get('x-cost') };
  // Audio must arrive whole, too.
  if (!isJson) await response.bytes();
  const { text, cost } = way.read(answer as Record<string, unknown>);
  return { how: 'abridged', text, cost: micro(cost) };
}

/** @param begun the answer to the request */
async function readBackground(
  url: string,
  way: Way,
  begun: Response,
  headers: Record<string, string>,
  leave?: AbortSignal,
): Promise<Seen> {
  const { id } = (await begun.json()) as { id: string };
  let now: Record<string, unknown> = {};
  const isOver = async () => {
    const read = { headers, ...(leave && { signal: leave }) };
    const response = await fetch(`${url}${way.path}/${id}`, read);
    now = (await response.json()) as Record<string, unknown>;
    return !['queued', 'in_progress'].includes(String(now['status']));
  };
  await becomesTrue(isOver, BACKGROUND_MS);
  if (now['status'] === 'failed') {
    return { how: 'refused', status: 200, code: (now['error'] as { code: string }).code };
  }
  if (now['status'] !== 'completed') throw new Error(`it is ${JSON.stringify(now)}`);
  const { text, cost } = way.read(now);
  return { how: 'abridged', text, cost: micro(cost) };
}

/** @param text gets the pieces as they arrive */
async function readEvents(way: Way, events: AsyncIterable<string>, text: string[]): Promise<Seen> {
  let cost: unknown;
  for await (const data of events) {
    if (data === '[DONE]') return { how: 'abridged', text: text.join(''), cost: micro(cost) };
    const event = JSON.parse(data) as Record<string, unknown>;
    const error = (event['error'] ?? (event['type'] === 'error' ? event : undefined)) as
      { code?: string } | null | undefined;
    if (error) {
      const { status = 200 } = event;
      return { how: 'refused', status: Number(status), code: String(error.code) };
    }
    const more = way.readEvent?.(event) ?? {};
    if (more.text) text.push(more.text);
    cost = more.cost ?? cost;
    if (more.isEnd) return { how: 'abridged', text: text.join(''), cost: micro(cost) };
  }
  throw new Error('the stream has no end');
}

/** The data of the events in a stream. */
async function* dataOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body ?? []) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) yield data;
    }
  }
}

function keyOf({ key }: ClientEntry): Record<string, string> {
  return key === undefined ? {} : { 'idempotency-key': key };
}

function answered(data: Record<string, unknown>): Seen {
  return {
    how: 'answered',
    id: Number(data['id']),
    response: String(data['response']),
    costRequest: micro(data['cost_request']),
    costResponse: micro(data['cost_response']),
    warnings: (data['warnings'] ?? []) as string[],
  };
}

function micro(rubles: unknown): number {
  return Math.round(Number(rubles) * 1_000_000);
}
