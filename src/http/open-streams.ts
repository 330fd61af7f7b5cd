import type { Detached, DetachedSend } from '../chat/index.ts';
import { DomainError } from '../lib/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { Roster } from '../lib/roster.ts';
import { jsonHeaders } from './errors.ts';
import { EventBody, eventHeaders, type EventWriter } from './event-stream.ts';
import { PieceStream } from './piece-stream.ts';
import type { RequestFacts } from './request-facts.ts';

const RETRY_AFTER_S = 1;
/** A client that takes nothing of a history or export for this long has left, whatever its connection says. */
const STALLED_MAX_MS = 120_000;

/** A send that is about to begin: it already counts. */
type Beginning = Pick<DetachedSend, 'refuse'>;
type Open = EventBody | PieceStream | DetachedSend | Beginning;

/**
 * The open streams of users on this node and the sends that continue without their clients. Their number is limited,
 * since each may hold events that its client has not taken.
 */
export class OpenStreams {
  readonly #maxOfUser: number;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #openOf = new Map<number, Roster<Open>>();

  constructor(maxOfUser: number, clock: Pick<Clock, 'monotonic'>) {
    this.#maxOfUser = maxOfUser;
    this.#clock = clock;
  }

  /**
   * Opens a stream. The stream and its request's body count until its send has ended and its client has taken
   * everything or has left.
   * @param begin starts the send and answers with the body
   * @throws `rate_limited`, and what `begin` throws
   */
  async open(
    userId: number,
    request: Request,
    facts: Pick<RequestFacts, 'takeAtEnd'>,
    write: EventWriter,
    begin: (body: EventBody) => Promise<Response>,
  ): Promise<Response> {
    this.#checkRoom(userId);
    const body = new EventBody(request, write);
    const remove = this.#add(userId, body);
    const atEnd = facts.takeAtEnd();
    body.onClosed = () => {
      atEnd();
      remove();
    };
    try {
      return await begin(body);
    } catch (error) {
      body.cancel();
      body.end();
      throw error;
    }
  }

  /**
   * Begins or joins a send that continues without its client. A new one counts until it has ended.
   * @throws `rate_limited`, and what `begin` throws
   */
  async detach(
    userId: number,
    facts: Pick<RequestFacts, 'takeAtEnd'>,
    begin: () => Promise<Detached>,
  ): Promise<Detached> {
    this.#checkRoom(userId);
    const beginning: Beginning = { refuse: () => undefined };
    const remove = this.#add(userId, beginning);
    try {
      return await this.detachInStream(userId, facts, begin);
    } finally {
      remove();
    }
  }

  /**
   * The same for a client whose stream is open: the stream already has a place. The request's body counts until the
   * send has ended.
   */
  async detachInStream(
    userId: number,
    facts: Pick<RequestFacts, 'takeAtEnd'>,
    begin: () => Promise<Detached>,
  ): Promise<Detached> {
    const atEnd = facts.takeAtEnd();
    let detached: Detached | undefined;
    try {
      detached = await begin();
      return detached;
    } finally {
      if (!detached?.isNew) atEnd();
      else this.#addUntilEnd(userId, detached.send, atEnd);
    }
  }

  #addUntilEnd(userId: number, send: DetachedSend, atEnd: () => void): void {
    const remove = this.#add(userId, send);
    void send.ended.then(remove).then(atEnd);
  }

  /**
   * Answers with a success whose `data` is JSON that is made in pieces, while the client takes them.
   * @throws `rate_limited`
   */
  json(userId: number, data: AsyncGenerator<string>): Response {
    return this.#inPieces(userId, enveloped(data), jsonHeaders);
  }

  /** Answers with server-sent events that are made while the client takes them. @throws `rate_limited` */
  events(userId: number, lines: AsyncGenerator<string>): Response {
    return this.#inPieces(userId, lines, eventHeaders);
  }

  #inPieces(
    userId: number,
    pieces: AsyncGenerator<string>,
    headers: Readonly<Record<string, string>>,
  ): Response {
    this.#checkRoom(userId);
    const stream: PieceStream = new PieceStream(
      pieces,
      () => this.#clock.monotonic(),
      () => remove(),
    );
    const remove = this.#add(userId, stream);
    return stream.response(headers);
  }

  /**
   * Ends the streams of users who have lost all access, and answers that nobody takes. Call it every few seconds, since
   * another node or a command may have blocked the users.
   * @param endedAmong asks the database which of the users have lost access, and why
   */
  async endThose(
    endedAmong: (userIds: readonly number[]) => Promise<ReadonlyMap<number, DomainError>>,
  ): Promise<void> {
    for (const open of this.#openOf.values()) {
      for (const stream of open.values()) {
        if (stream instanceof PieceStream && stream.stalledMs > STALLED_MAX_MS) {
          stream.cut(new Error('the client takes nothing'));
        }
      }
    }
    if (this.#openOf.size === 0) return;
    for (const [userId, error] of await endedAmong([...this.#openOf.keys()])) {
      for (const stream of this.#openOf.get(userId)?.values() ?? []) {
        if (stream instanceof PieceStream) stream.cut(error);
        else stream.refuse(error);
      }
    }
  }

  /** @throws `rate_limited` */
  #checkRoom(userId: number): void {
    const open = this.#openOf.get(userId)?.size ?? 0;
    if (open >= this.#maxOfUser) throw tooMany(this.#maxOfUser);
  }

  /** @returns a function that removes it */
  #add(userId: number, stream: Open): () => void {
    const open = this.#openOf.get(userId) ?? new Roster();
    this.#openOf.set(userId, open);
    const member = open.add(stream);
    return () => {
      open.remove(member);
      if (open.size === 0 && this.#openOf.get(userId) === open) this.#openOf.delete(userId);
    };
  }
}

function tooMany(max: number): DomainError {
  return new DomainError(
    'rate_limited',
    `you have ${max} open streams and detached sends, which is the most: read, close or stop some of them first`,
    { retryAfterSeconds: RETRY_AFTER_S },
  );
}

async function* enveloped(data: AsyncGenerator<string>): AsyncGenerator<string> {
  yield '{"status":"ok","data":';
  yield* data;
  yield '}';
}
