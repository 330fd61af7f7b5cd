import { DomainError } from '../lib/errors.ts';
import { EventBody, type EventWriter } from './event-stream.ts';
import type { RequestFacts } from './request-facts.ts';

const RETRY_AFTER_S = 1;

/** The open streams of users on this node, and their bound: each may hold events that its client has not taken. */
export class OpenStreams {
  readonly #maxOfUser: number;
  readonly #openOf = new Map<number, Set<EventBody>>();

  constructor(maxOfUser: number) {
    this.#maxOfUser = maxOfUser;
  }

  /**
   * Opens a stream. It counts, and its request's body counts, until its send has ended and its client has taken all of
   * it or has left.
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
    const open = this.#openOf.get(userId) ?? new Set();
    if (open.size >= this.#maxOfUser) throw tooMany(this.#maxOfUser);
    const body = new EventBody(request, write);
    this.#openOf.set(userId, open.add(body));
    const atEnd = facts.takeAtEnd();
    body.onClosed = () => {
      atEnd();
      open.delete(body);
      if (open.size === 0) this.#openOf.delete(userId);
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
   * Ends the streams of users who may use nothing any more. Call it every few seconds, since another node or a command may
   * have blocked them.
   * @param endedAmong asks the database which of the users have ended, and why
   */
  async endThose(
    endedAmong: (userIds: readonly number[]) => Promise<ReadonlyMap<number, DomainError>>,
  ): Promise<void> {
    if (this.#openOf.size === 0) return;
    for (const [userId, error] of await endedAmong([...this.#openOf.keys()])) {
      for (const body of this.#openOf.get(userId) ?? []) body.refuse(error);
    }
  }
}

function tooMany(max: number): DomainError {
  return new DomainError(
    'rate_limited',
    `you have ${max} open streams, which is the most: read or close some of them first`,
    { retryAfterSeconds: RETRY_AFTER_S },
  );
}
