/**
 * A TCP relay between the gateway and its upstream: it passes bytes on, with a delay if requested, and cuts the
 * connection after the given number of bytes of an answer, at any place in HTTP.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Cut = 'reset' | 'end';

export interface Relay extends AsyncDisposable {
  port: number;
  /** The bytes of answers since the last call of `watch`. */
  watch(): () => Buffer;
  /** Cuts the connection at this byte of the answers from now on. */
  cutAfter(bytes: number, how: Cut): void;
  /** The delay of every piece of an answer. */
  delayMs: number;
}

export async function openRelay(to: { port: number; host?: string }): Promise<Relay> {
  let left: { bytes: number; how: Cut } | undefined;
  let watched: Buffer[] | undefined;
  const open = new Set<Socket>();
  const cut = (inner: Socket, outer: Socket, how: Cut) => {
    inner.destroy();
    if (how === 'end') outer.end();
    else outer.resetAndDestroy();
  };
  const pass = (data: Buffer, inner: Socket, outer: Socket) => {
    watched?.push(data);
    if (!left || data.length < left.bytes) {
      if (left) left.bytes -= data.length;
      return void outer.write(data);
    }
    const { bytes, how } = left;
    left = undefined;
    outer.write(data.subarray(0, bytes), () => cut(inner, outer, how));
  };
  const server = createServer((outer) => {
    const inner = connect(to.port, to.host ?? '127.0.0.1');
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    outer.on('data', (data) => inner.write(data));
    const late = inOrder((data) => pass(data, inner, outer));
    inner.on('data', (data) => late(data as Buffer, relay.delayMs));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const relay: Relay = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    watch() {
      const pieces: Buffer[] = [];
      watched = pieces;
      return () => Buffer.concat(pieces);
    },
    cutAfter(bytes, how) {
      left = { bytes, how };
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return relay;
}

/** Passes on pieces after their delay, in order of arrival, even if the delay becomes shorter. */
function inOrder(hand: (data: Buffer) => void): (data: Buffer, delayMs: number) => void {
  const waiting: { data: Buffer; due: number }[] = [];
  let timer: Timer | undefined;
  const drain = (): void => {
    timer = undefined;
    const now = performance.now();
    while (waiting[0] && waiting[0].due <= now) {
      const next = waiting.shift();
      if (next) hand(next.data);
    }
    // One timer for all of them: two of different lengths may end in either order.
    if (waiting[0]) timer = setTimeout(drain, Math.ceil(waiting[0].due - now));
  };
  return (data, delayMs) => {
    waiting.push({ data, due: performance.now() + delayMs });
    if (!timer) drain();
  };
}
