/** A client of WebSocket mode that sends arbitrary frames. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'bun';

/** Kinds of frames (RFC 6455, section 5.2). */
const CONTINUATION = 0;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const LAST = 0x80;
const MASKED = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** A received message, or the code that closes the connection; 0 if it ends without one. */
export type News = { text: string } | { closed: number };

/** A text in one frame, or in frames of this many bytes. */
export function textFrames(text: string, frameBytes = Infinity): Buffer[] {
  const bytes = Buffer.from(text);
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += frameBytes) {
    const end = Math.min(bytes.length, at + frameBytes);
    const kind = (at === 0 ? TEXT : CONTINUATION) | (end === bytes.length ? LAST : 0);
    frames.push(frame(kind, bytes.subarray(at, end)));
  }
  return frames;
}

export const pingFrame = (): Buffer => frame(PING | LAST, Buffer.alloc(125, 'p'));

/** The mask is zero, which leaves the bytes unchanged. */
function frame(kind: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(14);
  head[0] = kind;
  if (bytes.length < LENGTH_16) {
    head[1] = MASKED | bytes.length;
    return Buffer.concat([head.subarray(0, 6), bytes]);
  }
  if (bytes.length <= 0xffff) {
    head[1] = MASKED | LENGTH_16;
    head.writeUInt16BE(bytes.length, 2);
    return Buffer.concat([head.subarray(0, 8), bytes]);
  }
  head[1] = MASKED | LENGTH_64;
  head.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([head, bytes]);
}

/** A connection to `/v1/responses`. */
export class RawSocket {
  readonly #news: News[] = [];
  #wake: () => void = () => undefined;
  #received: Buffer = Buffer.alloc(0);
  #isOpen = false;
  #unsent: Buffer = Buffer.alloc(0);
  #socket: Socket | undefined;

  /**
   * Resolves when the handshake is answered.
   * @throws if it is refused
   */
  async open(url: string, token: string): Promise<this> {
    const { hostname, port } = new URL(url);
    const take = (bytes: Buffer) => this.#take(bytes);
    this.#socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, bytes) => take(bytes),
        drain: () => this.#flush(),
        close: () => this.add({ closed: 0 }),
        error: () => this.add({ closed: 0 }),
      },
    });
    const handshake = [
      'GET /v1/responses HTTP/1.1',
      `host: ${hostname}`,
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
      `authorization: Bearer ${token}`,
      '\r\n',
    ];
    this.#write(Buffer.from(handshake.join('\r\n')));
    const first = await this.next();
    if (!('text' in first) || !first.text.includes(' 101 ')) throw new Error(JSON.stringify(first));
    return this;
  }

  send(frames: readonly Buffer[]): void {
    this.#write(Buffer.concat(frames));
  }

  async next(): Promise<News> {
    for (;;) {
      const one = this.#news.shift();
      if (one) return one;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  close(): void {
    this.#socket?.terminate();
  }

  #write(bytes: Buffer): void {
    this.#unsent = this.#unsent.length === 0 ? bytes : Buffer.concat([this.#unsent, bytes]);
    this.#flush();
  }

  #flush(): void {
    this.#unsent = this.#unsent.subarray(this.#socket?.write(this.#unsent) ?? 0);
  }

  add(one: News): void {
    this.#news.push(one);
    this.#wake();
  }

  #take(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    if (!this.#isOpen) {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.#isOpen = true;
      this.add({ text: this.#received.toString('latin1', 0, end) });
      this.#received = this.#received.subarray(end + 4);
    }
    for (let one = this.#frame(); one; one = this.#frame()) {
      const { kind, content } = one;
      if (kind === CLOSE) this.add({ closed: content.length < 2 ? 0 : content.readUInt16BE() });
      if (kind === TEXT) this.add({ text: content.toString() });
    }
  }

  /** The server sends each message in one frame. */
  #frame(): { kind: number; content: Buffer } | undefined {
    const all = this.#received;
    if (all.length < 2) return undefined;
    const short = all.readUInt8(1);
    const headBytes = short < LENGTH_16 ? 2 : short === LENGTH_16 ? 4 : 10;
    if (all.length < headBytes) return undefined;
    const length =
      headBytes === 2
        ? short
        : headBytes === 4
          ? all.readUInt16BE(2)
          : Number(all.readBigUInt64BE(2));
    const end = headBytes + length;
    if (all.length < end) return undefined;
    this.#received = all.subarray(end);
    return { kind: all.readUInt8(0) & 0xf, content: all.subarray(headBytes, end) };
  }
}
