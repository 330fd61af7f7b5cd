import { DomainError } from '../../../../lib/errors.ts';
import { toDomainError } from '../../../errors.ts';
import type { SocketConnection, SocketEvents } from '../../../sockets.ts';
import { type CreateEvent, readCreateEvent } from './create-event.ts';
import { emptyResponse, errorEvent, failureEvent, relayEvents } from './events.ts';
import { LastResponse } from './last-response.ts';

/** Requests of one connection that wait for the one that runs. */
const WAITING_MAX = 4;
/** Codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;

/** What a connection needs of the gateway. */
export interface SocketParts {
  /** Answers a request to `/v1/responses`, with all its checks. @param signal is aborted when the client leaves */
  post(body: string, signal: AbortSignal): Promise<Response>;
  /** Checks the connection's credential. @throws DomainError */
  authenticate(): Promise<unknown>;
  /** Milliseconds. */
  now(): number;
  /** The connection has closed. */
  onClosed(): void;
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
  readonly #waiting: string[] = [];
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
    if (this.#waiting.length >= WAITING_MAX) {
      const why = `${WAITING_MAX} requests wait on this connection: send the next one when one has ended`;
      this.#connection?.send(errorEvent(new DomainError('rate_limited', why)));
      return;
    }
    this.#waiting.push(message);
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
      const message = this.#waiting.shift();
      if (message === undefined) break;
      try {
        await this.#answer(message);
      } catch (error) {
        if (!this.#left.signal.aborted) this.#connection?.send(errorEvent(toDomainError(error)));
      }
    }
    this.#isBusy = false;
    if (this.#isStopping) this.stop();
  }

  async #answer(message: string): Promise<void> {
    const event = readCreateEvent(message);
    const asked = 'body' in event ? this.#last.continued(event.body) : undefined;
    const previous = 'body' in event ? event.body['previous_response_id'] : undefined;
    if (asked && isWarmUp(event)) {
      await this.#parts.authenticate();
      const { id, events } = emptyResponse({ ...asked.body }, this.#parts.now());
      for (const text of events) await this.#send(text);
      return this.#last.keep(id, asked.body, [], message.length);
    }
    const body = asked ? JSON.stringify({ ...asked.body, stream: true }) : textOf(event);
    const response = await this.#parts.post(body, this.#left.signal);
    if (!isStream(response)) return this.#refused(response);
    const previousId = asked?.isOurs ? String(previous) : undefined;
    const stream = response.body ?? new ReadableStream<Uint8Array>();
    const ended = await relayEvents(stream, previousId, (text) => this.#send(text));
    if (!ended) return this.#close(INTERNAL_ERROR, 'the stream broke');
    if (!asked || ended.store || ended.status === 'failed') return;
    this.#last.keep(ended.id, asked.body, ended.output, body.length + ended.units);
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

function isWarmUp(event: CreateEvent): boolean {
  return 'generate' in event && !event.generate;
}

function textOf(event: CreateEvent): string {
  return 'text' in event ? event.text : '';
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}
