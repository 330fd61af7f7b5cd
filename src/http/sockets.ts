/** WebSocket connections, as the server knows them. */

/** Seconds without a byte or pong from the client, after which its connection is closed. */
const IDLE_TIMEOUT_S = 120;
/** The most bytes of a message. HTTP accepts larger requests. */
const MESSAGE_MAX_BYTES = 4 * 1024 * 1024;

export type SocketConnection = Pick<Bun.ServerWebSocket<SocketEvents>, 'send' | 'close'>;

export interface SocketEvents {
  opened(connection: SocketConnection): void;
  receive(message: string | Buffer): void;
  /** The client can take more. */
  drained(): void;
  closed(): void;
}

/** For `Bun.serve`. */
export const socketHandler: Bun.WebSocketHandler<SocketEvents> = {
  idleTimeout: IDLE_TIMEOUT_S,
  maxPayloadLength: MESSAGE_MAX_BYTES,
  open: (connection) => connection.data.opened(connection),
  message: ({ data }, message) => data.receive(message),
  drain: ({ data }) => data.drained(),
  close: ({ data }) => data.closed(),
};
