import type { DomainError } from '../../lib/errors.ts';
import { Stopper, whenAborted, type StopSignal } from '../../lib/stop-signal.ts';
import type { EventBatch, EventSink, SendResult, StreamEvent } from '../send/send-result.ts';

/** Why a send stopped that does not depend on its client. */
export const STOPPED = new DOMException('The send was stopped.', 'AbortError');

interface Follower {
  sink: EventSink;
  /** How many events this follower was given. */
  given: number;
  /** True while the follower has no room for more. */
  isFull: boolean;
}

/**
 * A send that continues without its client. It keeps its events, so that anyone may follow it from the first event on,
 * at any time. No follower slows the provider down, and none stops the send by leaving.
 */
export class DetachedSend implements EventSink {
  readonly userId: number;
  readonly roomId: string;
  readonly id: number;
  /** Aborted when the send is stopped. */
  readonly gone = new Stopper();
  onTaken: (events: EventBatch) => void = () => undefined;
  readonly #events: StreamEvent[] = [];
  readonly #followers = new Set<Follower>();
  readonly #result = Promise.withResolvers<SendResult>();
  readonly #ended = Promise.withResolvers<void>();
  #isSent = false;
  #isEnded = false;
  #waiting = 0;

  constructor(userId: number, roomId: string, id: number) {
    [this.userId, this.roomId, this.id] = [userId, roomId, id];
    this.#result.promise.catch(() => undefined);
  }

  /** Gives the sink all events from the first one on, at the sink's own pace. */
  follow(sink: EventSink): void {
    const follower = { sink, given: 0, isFull: false };
    this.#followers.add(follower);
    whenAborted(sink.gone, () => this.#leave(follower));
    if (this.#isSent) sink.sent();
    this.#give(follower);
  }

  /**
   * The result, once the send has ended.
   * @param left aborted when nobody waits any more
   * @throws the error with which the send ended
   */
  result(left: StopSignal): Promise<SendResult> {
    this.#waiting++;
    whenAborted(left, () => void this.#waiting--);
    return this.#result.promise;
  }

  /** Resolves when the send is settled. Never rejects. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** True once a model has begun to answer. */
  get hasBegun(): boolean {
    return this.#events.length > 1;
  }

  /** True while somebody follows it, or waits for its result. */
  get isFollowed(): boolean {
    return this.#followers.size > 0 || this.#waiting > 0;
  }

  /** Stops the send as if the client of a stream had left. An image is still completed. */
  stop(): void {
    this.gone.abort(STOPPED);
  }

  /** Stops the send of a user who lost the right to it. Requests waiting for its result get this error. */
  refuse(error: DomainError): void {
    this.#result.reject(error);
    this.stop();
  }

  push(batch: EventBatch): void {
    if (this.#isEnded) return;
    for (const event of batch) {
      this.#events.push(event);
      if (event.type === 'done') this.#result.resolve(event.result);
      if (event.type === 'error') this.#result.reject(event.error);
    }
    this.onTaken(batch);
    this.#giveAll();
  }

  sent(): void {
    this.#isSent = true;
    for (const { sink } of this.#followers) sink.sent();
  }

  /** The provider never waits: events that nobody has taken yet are kept. */
  room(): undefined {
    return undefined;
  }

  drop(): void {
    // Events are kept for followers who come later.
  }

  end(): void {
    this.#isEnded = true;
    this.#giveAll();
    this.#ended.resolve();
  }

  #giveAll(): void {
    for (const follower of this.#followers) this.#give(follower);
  }

  #give(follower: Follower): void {
    const { sink } = follower;
    if (follower.isFull || !this.#followers.has(follower)) return;
    const room = sink.room();
    if (room) {
      follower.isFull = true;
      void room.then(() => this.#giveAgain(follower));
      return;
    }
    if (follower.given < this.#events.length) {
      sink.push(withJoinedTexts(this.#events.slice(follower.given)));
      follower.given = this.#events.length;
    }
    if (this.#isEnded) this.#leave(follower);
  }

  #giveAgain(follower: Follower): void {
    follower.isFull = false;
    this.#give(follower);
  }

  #leave(follower: Follower): void {
    if (this.#followers.delete(follower)) follower.sink.end();
  }
}

/** The same events, with texts that follow each other in one piece. */
function withJoinedTexts(events: readonly StreamEvent[]): EventBatch {
  if (events.length < 2) return events;
  const joined: StreamEvent[] = [];
  let texts: string[] = [];
  const endText = () => {
    if (texts.length > 0) joined.push({ type: 'delta', text: texts.join('') });
    texts = [];
  };
  for (const event of events) {
    if (event.type === 'delta') texts.push(event.text);
    else {
      endText();
      joined.push(event);
    }
  }
  endText();
  return joined;
}
