import { DomainError } from '../../../../lib/errors.ts';
import { toDomainError } from '../../../errors.ts';
import { COUNTED_FROM_BYTES, type Reservation } from '../../../body/budget.ts';
import type { SocketConnection, SocketEvents } from '../../../sockets.ts';
import { readCreateEvent } from './create-event.ts';
import { emptyResponse, errorEvent, failureEvent, relayEvents } from './events.ts';
import { LastResponse } from './last-response.ts';

/** Requests of one connection that wait for the one that runs. */
const WAITING_MAX = 4;
/** Codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;
/** Also for large messages that are too many: an answer would invite the next one. */
const TRY_AGAIN_LATER = 1013;

/** What a connection needs of the gateway. */
export interface SocketParts {
  /** Answers a request to `/v1/responses`, with all its checks. @param signal is aborted when the client leaves */
  post(body: string, signal: AbortSignal): Promise<Response>;
  /** Checks the connection's credential. @throws DomainError */
  authenticate(): Promise<unknown>;
  /** Makes room for a message that waits. */
  reserve(): Reservation;
  /** Runs work on a message in its turn among those of the user. @param units of the message */
  turn<T>(units: number, work: () => T): Promise<T>;
  /** Milliseconds. */
  now(): number;
  /** The connection has closed. */
  onClosed(): void;
}

/** A message that waits; large ones take room in the budget of bodies. */
interface Waiting {
  message: string;
  room: Reservation | undefined;
}

/** A request that has begun. */
interface Begun {
  /** Undefined for a message that was not parsed here. */
  asked: ReturnType<LastResponse['continued']> | undefined;
  /** For a request with `generate: false`. */
  empty?: { id: string; events: string[] };
  /** For other requests. */
  posted?: { response: Promise<Response>; units: number; previousId: string | undefined };
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
      room?.add(message.length);
    } catch {
      return this.#close(TRY_AGAIN_LATER, 'your requests in progress are too large together');
    }
    this.#waiting.push({ message, room });
    if (!this.#isBusy) void this.#work();
  }

  /** The client takes more. */
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

  /** Closes the connection, after the response that runs. */
  stop(): void {
    this.#isStopping = true;
    if (!this.#isBusy) this.#close(GOING_AWAY, 'the server stops');
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#connection && !this.#isStopping) {
      const next = (this.#next = this.#waiting.shift());
      if (next === undefined) break;
      try {
        const begun = await this.#parts.turn(next.message.length, () => this.#begin());
        if (begun) await this.#answer(begun, next.message.length);
      } catch (error) {
        if (!this.#left.signal.aborted) this.#connection?.send(errorEvent(toDomainError(error)));
      }
    }
    this.#isBusy = false;
    if (this.#isStopping) this.stop();
  }

  /** Takes the next message. @returns undefined if the client has left meanwhile */
  #begin(): Begun | undefined {
    const next = this.#next;
    this.#next = undefined;
    if (next === undefined) return undefined;
    const { message, room } = next;
    // The request takes its own room.
    room?.release();
    const event = readCreateEvent(message);
    if ('text' in event) return { asked: undefined, posted: this.#post(event.text, undefined) };
    const previous = event.body['previous_response_id'];
    const asked = this.#last.continued(event.body);
    if (!event.generate) {
      return { asked, empty: emptyResponse({ ...asked.body }, this.#parts.now()) };
    }
    const body = JSON.stringify({ ...asked.body, stream: true });
    return { asked, posted: this.#post(body, asked.isOurs ? String(previous) : undefined) };
  }

  #post(body: string, previousId: string | undefined): NonNullable<Begun['posted']> {
    const response = this.#parts.post(body, this.#left.signal);
    return { response, units: body.length, previousId };
  }

  /** @param units of the message */
  async #answer({ asked, empty, posted }: Begun, units: number): Promise<void> {
    if (asked && empty) {
      await this.#parts.authenticate();
      for (const text of empty.events) await this.#send(text);
      return this.#last.keep(empty.id, asked.body, [], units);
    }
    if (!posted) return;
    const response = await posted.response;
    if (!isStream(response)) return this.#refused(response);
    const stream = response.body ?? new ReadableStream<Uint8Array>();
    const ended = await relayEvents(stream, posted.previousId, (text) => this.#send(text));
    if (!ended) return this.#close(INTERNAL_ERROR, 'the stream broke');
    if (!asked || ended.store || ended.status === 'failed') return;
    this.#last.keep(ended.id, asked.body, ended.output, posted.units + ended.units);
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
