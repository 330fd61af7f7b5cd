import { DomainError } from '../../../../lib/errors.ts';
import { toDomainError } from '../../../errors.ts';
import { COUNTED_FROM_BYTES, type Reservation } from '../../../body/budget.ts';
import type { SocketConnection, SocketEvents } from '../../../sockets.ts';
import type { CreateEvent } from './create-event.ts';
import type { EmptyResponse } from './empty-response.ts';
import { errorEvent, failureEvent, relayEvents } from './events.ts';
import { type RequestedResponse, bodyOf, LastResponse } from './last-response.ts';

/** The most requests of one connection that wait for the running one. */
const WAITING_MAX = 4;
/**
 * The memory that a waiting message takes, as a multiple of its bytes: the runtime's buffer, the text, and the bytes
 * for the thread.
 */
const WAITING_WEIGHT = 3;
/** Codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;
/** Also used when too many large messages come: an answer would invite the next one. */
const TRY_AGAIN_LATER = 1013;

export interface SocketParts {
  /** Answers a request to `/v1/responses`, with all its checks. @param signal aborted when the client leaves */
  post(body: string, signal: AbortSignal): Promise<Response>;
  /** Checks the connection's credential. @throws DomainError */
  authenticate(): Promise<unknown>;
  /** Reserves memory for a message that waits. */
  reserve(): Reservation;
  /** Runs work on a message in its turn among the user's messages. @param units of the message */
  turn<T>(units: number, work: () => T): Promise<T>;
  /** @throws DomainError */
  read(message: string): Promise<CreateEvent>;
  /** Called when the connection has closed. */
  onClosed(): void;
}

/** A waiting message; large ones count in the budget of bodies. */
interface Waiting {
  message: string;
  room: Reservation | undefined;
}

/**
 * A connection in WebSocket mode. Each `response.create` of the client becomes a request to `/v1/responses`, and the
 * events of its stream become messages: checks, limits, holds and charges are those of that request. Requests run one
 * after the other.
 */
export class ResponsesSocket implements SocketEvents {
  readonly #parts: SocketParts;
  readonly #left = new AbortController();
  readonly #last = new LastResponse();
  readonly #waiting: Waiting[] = [];
  /** Waits for its turn. */
  #next: Waiting | undefined;
  #connection: SocketConnection | undefined;
  #isBusy = false;
  #isStopping = false;
  #onDrain: (() => void) | undefined;

  constructor(parts: SocketParts) {
    this.#parts = parts;
  }

  opened(connection: SocketConnection): void {
    this.#connection = connection;
    if (this.#isStopping) this.stop();
  }

  receive(message: string | Buffer): void {
    if (typeof message !== 'string') return this.#close(UNSUPPORTED_DATA, 'send text');
    const isLarge = message.length > COUNTED_FROM_BYTES;
    if (this.#waiting.length >= WAITING_MAX) {
      const why = `${WAITING_MAX} requests wait on this connection: send the next one when one has ended`;
      if (isLarge) return this.#close(TRY_AGAIN_LATER, why);
      this.#connection?.send(errorEvent(new DomainError('rate_limited', why)));
      return;
    }
    const room = isLarge ? this.#parts.reserve() : undefined;
    try {
      room?.add(Buffer.byteLength(message) * WAITING_WEIGHT);
    } catch {
      return this.#close(TRY_AGAIN_LATER, 'your requests in progress are too large together');
    }
    this.#waiting.push({ message, room });
    if (!this.#isBusy) void this.#work();
  }

  drained(): void {
    this.#onDrain?.();
    this.#onDrain = undefined;
  }

  closed(): void {
    this.#connection = undefined;
    this.#left.abort();
    for (const waiting of [this.#next, ...this.#waiting.splice(0)]) waiting?.room?.release();
    this.#next = undefined;
    this.drained();
    this.#parts.onClosed();
  }

  /** Closes the connection, after its running response. */
  stop(): void {
    this.#isStopping = true;
    if (!this.#isBusy) this.#close(GOING_AWAY, 'the server stops');
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#connection && !this.#isStopping) {
      this.#next = this.#waiting.shift();
      if (this.#next === undefined) break;
      try {
        await this.#handle(this.#next.message.length, this.#next.room);
      } catch (error) {
        if (!this.#left.signal.aborted) this.#connection?.send(errorEvent(toDomainError(error)));
      }
    }
    this.#isBusy = false;
    if (this.#isStopping) this.stop();
  }

  /** @param units of the next message */
  async #handle(units: number, room: Reservation | undefined): Promise<void> {
    let event: CreateEvent | undefined;
    try {
      event = await this.#parts.turn(units, () => this.#read());
    } finally {
      // The request reserves its own memory.
      room?.release();
    }
    if (event === undefined || this.#left.signal.aborted) return;
    const requested = this.#last.continued(event);
    await (event.empty ? this.#sendEmpty(event.empty, requested) : this.#post(requested));
  }

  /** Takes the next message, unless the client has left meanwhile. */
  #read(): Promise<CreateEvent> | undefined {
    const message = this.#next?.message;
    this.#next = undefined;
    return message === undefined ? undefined : this.#parts.read(message);
  }

  async #sendEmpty({ id, events }: EmptyResponse, requested: RequestedResponse): Promise<void> {
    await this.#parts.authenticate();
    for (const text of events) await this.#send(text);
    this.#last.keep(id, requested, '[]');
  }

  async #post(requested: RequestedResponse): Promise<void> {
    const response = await this.#parts.post(bodyOf(requested), this.#left.signal);
    if (!isStream(response)) return this.#refused(response);
    const stream = response.body ?? new ReadableStream<Uint8Array>();
    const ended = await relayEvents(stream, requested.shownId, (text) => this.#send(text));
    if (!ended) return this.#close(INTERNAL_ERROR, 'the stream broke');
    if (ended.store || ended.status === 'failed') return;
    this.#last.keep(ended.id, requested, JSON.stringify(ended.output));
  }

  async #refused(response: Response): Promise<void> {
    const { error } = (await response.json()) as { error: unknown };
    await this.#send(failureEvent(response.status, error));
    if (response.status === 401 || response.status === 403) {
      this.#close(POLICY_VIOLATION, 'the credential opens nothing');
    }
  }

  /** Resolves when the client can take more. @throws when it has left */
  async #send(text: string): Promise<void> {
    const sent = this.#connection?.send(text) ?? 0;
    if (sent < 0) await new Promise<void>((resolve) => (this.#onDrain = resolve));
    if (sent === 0 || !this.#connection) throw new Error('the client has left');
  }

  #close(code: number, reason: string): void {
    this.#connection?.close(code, reason);
  }
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}
