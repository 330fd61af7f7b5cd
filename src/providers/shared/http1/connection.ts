import type { Socket } from 'bun';
import type { StopSignal } from '../../../lib/stop-signal.ts';
import { Exchange, type ExchangeOwner } from './exchange.ts';

/** A server. */
export interface Origin {
  /** Equal for URLs that can share connections. */
  key: string;
  hostname: string;
  port: number;
  secure: boolean;
}

/**
 * A connection is not used after this idle time, in milliseconds. Servers close connections that are idle for 5 s or
 * longer, and a request sent at that moment is lost.
 */
export const IDLE_MAX_MS = 4_000;
/** A connection is not used for this long before the server's own limit (the header `Keep-Alive: timeout=5`). */
const IDLE_MARGIN_MS = 1_000;

/** The connection ended before the answer did. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = 'ECONNRESET';

  constructor(cause?: unknown) {
    super('the connection was closed', { cause });
  }
}

const noPieces: readonly Uint8Array[] = [];

/** A connection to one origin that carries one request after another (RFC 9112, section 9.3). */
export class Connection implements ExchangeOwner {
  /** Undefined until it is connected. */
  #socket: Socket | undefined;
  #exchange: Exchange | undefined;
  /** The part of a piece of a request that the socket has not accepted yet. */
  #unsent: Uint8Array | undefined;
  #pieces = noPieces;
  /** The piece after that. */
  #next = 0;
  #closed = false;
  readonly #onIdle: (connection: Connection) => void;
  /** No request may begin after this time, on the monotonic clock, milliseconds. */
  idleUntil = 0;

  private constructor(onIdle: (connection: Connection) => void) {
    this.#onIdle = onIdle;
  }

  /**
   * @param onIdle called after each answer, when the next request may be sent
   * @throws an error whose `code` says why there is no connection; also certificate errors
   */
  static async open(
    origin: Origin,
    signal: StopSignal,
    onIdle: (connection: Connection) => void,
  ): Promise<Connection> {
    const self = new Connection(onIdle);
    const ready = Promise.withResolvers<void>();
    const fail = (error: Error): void => {
      self.#closed = true;
      ready.reject(error);
      self.#exchange?.end(new ConnectionLost(error));
    };
    const onAbort = (): void => {
      fail(new ConnectionLost(signal.reason));
      self.#socket?.terminate();
    };
    signal.addEventListener('abort', onAbort);
    const connecting = Bun.connect({
      hostname: origin.hostname,
      port: origin.port,
      ...(origin.secure && { tls: { serverName: origin.hostname } }),
      socket: {
        open(socket) {
          self.#socket = socket;
          socket.setNoDelay(true);
          if (signal.aborted) socket.terminate();
          else if (!origin.secure) ready.resolve();
        },
        // Nothing is sent before the server's certificate is verified.
        handshake(socket, success, error) {
          if (success && !error) return ready.resolve();
          fail(error ?? new Error('the TLS handshake failed'));
          socket.terminate();
        },
        data: (_socket, bytes) => self.#receive(bytes),
        drain: () => self.#flush(),
        error: (_socket, error) => fail(error),
        close: () => fail(new ConnectionLost()),
      },
    });
    try {
      connecting.catch((error: Error) => ready.reject(error));
      await ready.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
    return self;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Sends the pieces of a request and reads its answer. @param onOver as for the exchange */
  send(request: readonly Uint8Array[], onOver: () => void): Exchange {
    const exchange = new Exchange(this, onOver);
    this.#exchange = exchange;
    this.#socket?.ref();
    this.#pieces = request;
    this.#unsent = request[0];
    this.#next = 1;
    this.#flush();
    return exchange;
  }

  /** Closes the connection; its exchange fails. */
  close(): void {
    this.#closed = true;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.fail(new ConnectionLost());
    this.#socket?.terminate();
  }

  #flush(): void {
    while (this.#unsent && !this.#closed) {
      const sent = Math.max(0, this.#socket?.write(this.#unsent) ?? 0);
      if (sent < this.#unsent.length) {
        this.#unsent = this.#unsent.subarray(sent);
        return;
      }
      this.#unsent = this.#pieces[this.#next++];
    }
    this.#pieces = noPieces;
  }

  /** Called by the exchange. */
  pause(paused: boolean): void {
    if (paused) this.#socket?.pause();
    else this.#socket?.resume();
  }

  #receive(bytes: Uint8Array): void {
    // A server that sends data without a request is about to close, or broken.
    if (!this.#exchange) return this.close();
    try {
      this.#exchange.receive(bytes);
    } catch (error) {
      this.#exchange?.fail(error as Error);
      this.close();
    }
  }

  #staysOpen(): boolean {
    const header = this.#exchange?.headers.get('keep-alive') ?? '';
    const seconds = /\btimeout=(\d+)/i.exec(header)?.[1];
    const serverMs = seconds === undefined ? Infinity : Number(seconds) * 1000 - IDLE_MARGIN_MS;
    this.idleUntil = performance.now() + Math.min(IDLE_MAX_MS, serverMs);
    return serverMs > 0;
  }

  /** Called by the exchange: the answer is complete. */
  finished(reusable: boolean): void {
    const hasUnsent = this.#unsent !== undefined;
    const staysOpen = reusable && this.#staysOpen();
    this.#exchange = undefined;
    // A server that answers before it has read the request will not read the rest of it.
    if (!staysOpen || hasUnsent || this.#closed) {
      this.#closed = true;
      return void this.#socket?.end();
    }
    this.#socket?.unref();
    this.#onIdle(this);
  }
}
