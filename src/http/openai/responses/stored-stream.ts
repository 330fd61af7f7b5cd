import type { StoredResponse } from '../../../chat/index.ts';
import { DatabaseUnavailableError, invalidField } from '../../../lib/errors.ts';
import { namedWriter } from '../../compatible/named-events.ts';
import { versionNames } from '../../compatible/models.ts';
import { KEEP_ALIVE } from '../../event-stream.ts';
import type { OperationParts } from '../../operation-parts.ts';
import type { RequestFacts } from '../../request-facts.ts';
import type { ResponseFacts } from './answer.ts';
import { partEvents } from './even-events.ts';
import { responseId } from './ids.ts';
import { answeredOf, failureOf, noResponse } from './stored-answer.ts';
import type { ResponseEvent } from './stream-items.ts';
import { responseWriter } from './stream.ts';

/** How many looks at a send of another node come between two signs of life: about 10 s. */
const LOOKS_PER_BEAT = 20;

interface StreamRequest {
  parts: OperationParts;
  userId: number;
  request: Request;
  facts: RequestFacts;
  stored: StoredResponse;
  shown: ResponseFacts;
  /** The events up to this number are left out. */
  after: number | undefined;
  /** Reads the response again; undefined once it is deleted. */
  read: () => Promise<StoredResponse | undefined>;
}

/** The number in `starting_after`. @throws `invalid_request` */
export function startingAfter({ searchParams }: URL): number | undefined {
  const text = searchParams.get('starting_after');
  if (text === null) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw invalidField('starting_after', 'must be the sequence_number of an event');
}

/**
 * Streams a background response: from its send, if this node runs it, or else from the database, once another node has
 * stored the answer there. Its events and their numbers are those of the first stream.
 * @throws `rate_limited`
 */
export async function streamStored(stream: StreamRequest): Promise<Response> {
  const { parts, userId, request, facts, stored, shown, after } = stream;
  const write = responseWriter(shown, after);
  const running = parts.sender.detached.ofMessage(userId, stored.id);
  facts.disableIdleTimeout();
  const over = facts.streams();
  if (!running) return parts.streams.events(userId, closing(storedLines(stream, write), over));
  const named = namedWriter(write, versionNames(parts.catalogue));
  return parts.streams.open(userId, request, facts, named, async (body) => {
    running.follow(body);
    body.whenEnded(over);
    return body.response({});
  });
}

/** The lines that are not empty. Calls `closed` at the end, or when nobody takes lines any more. */
async function* closing(lines: AsyncGenerator<string>, closed: () => void): AsyncGenerator<string> {
  try {
    for await (const line of lines) if (line !== '') yield line;
  } finally {
    closed();
  }
}

async function* storedLines(
  { parts, stored, read }: StreamRequest,
  write: (event: ResponseEvent) => string,
): AsyncGenerator<string> {
  const { roomId, id, createdAt: askedAt } = stored;
  yield write({ type: 'start', roomId, id, askedAt });
  let now: StoredResponse | undefined = stored;
  for (let looks = 1; now?.state === 'pending'; looks++) {
    await parts.sender.detached.untilNextLook();
    if (looks % LOOKS_PER_BEAT === 0) yield KEEP_ALIVE;
    now = await readIfPossible(read, now);
  }
  if (!now) return yield write({ type: 'error', error: noResponse(responseId(stored)) });
  if (now.state === 'failed') return yield write({ type: 'error', error: failureOf(now) });
  yield write({ type: 'served', model: await versionNames(parts.catalogue)(now.versionId) });
  for (const event of partEvents({ ...now, response: now.text })) yield write(event);
  yield write({ type: 'done', result: answeredOf(now) });
}

/** Reads the response or, while the database is unavailable, keeps its last known state. */
async function readIfPossible(read: StreamRequest['read'], known: StoredResponse) {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return known;
    throw error;
  }
}
