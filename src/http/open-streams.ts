import { DomainError } from '../lib/errors.ts';
import { EventBody, type EventWriter } from './event-stream.ts';

const RETRY_AFTER_S = 1;

/** Bounds how many streams a user may have open on one node: each may hold events that its client has not taken. */
export class OpenStreams {
  readonly #maxOfUser: number;
  readonly #openOf = new Map<number, number>();

  constructor(maxOfUser: number) {
    this.#maxOfUser = maxOfUser;
  }

  /**
   * Opens a stream. It counts until its client has taken all of it or has left.
   * @param begin starts the send and answers with the body
   * @throws `rate_limited`, and what `begin` throws
   */
  async open(
    userId: number,
    request: Request,
    write: EventWriter,
    begin: (body: EventBody) => Promise<Response>,
  ): Promise<Response> {
    const open = this.#openOf.get(userId) ?? 0;
    if (open >= this.#maxOfUser) throw tooMany(this.#maxOfUser);
    this.#openOf.set(userId, open + 1);
    const body = new EventBody(request, write);
    body.onClosed = () => this.#closed(userId);
    try {
      return await begin(body);
    } catch (error) {
      body.cancel();
      throw error;
    }
  }

  #closed(userId: number): void {
    const left = (this.#openOf.get(userId) ?? 1) - 1;
    if (left === 0) this.#openOf.delete(userId);
    else this.#openOf.set(userId, left);
  }
}

function tooMany(max: number): DomainError {
  return new DomainError(
    'rate_limited',
    `you have ${max} open streams, which is the most: read or close some of them first`,
    { retryAfterSeconds: RETRY_AFTER_S },
  );
}
