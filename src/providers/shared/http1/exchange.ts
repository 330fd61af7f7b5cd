import {
  asBuffer,
  bodyDecoder,
  type BodyDecoder,
  HEAD_MAX_BYTES,
  MalformedResponse,
  ResponseHead,
} from './body-decoder.ts';

/** A body, in pieces as they arrive. */
export interface ByteReader {
  /**
   * The bytes that arrived since the last read, at least one; undefined at the end.
   * @throws the connection's error if it broke off, after the bytes before that have been read
   */
  read: () => Promise<Uint8Array | undefined>;
  /** True if it is known that everything has been read. */
  readonly isOver?: boolean;
  /** Discards the rest: if the body is unfinished, its connection is closed. */
  discard: () => void;
}

/** An answer whose body may still be arriving. */
export interface WireAnswer extends ByteReader {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get: (name: string) => string | null };
}

/** Most bytes that are buffered; then the server has to wait. */
export const UNREAD_MAX_BYTES = 64 * 1024;

/** What an exchange needs from its connection. */
export interface ExchangeOwner {
  /** The answer is complete. @param reusable whether the connection can be used for the next request */
  finished: (reusable: boolean) => void;
  /** Called when the rest of the answer is not needed. */
  close: () => void;
  /** Stops or continues reading from the server. */
  pause: (paused: boolean) => void;
}

const noHeaders: WireAnswer['headers'] = { get: () => null };
const emptyLine = Buffer.from('\r\n\r\n');

/** The answer to one request, read from a connection. */
export class Exchange implements WireAnswer {
  status = 0;
  /** Empty before the head has arrived. */
  headers = noHeaders;
  readonly #answer = Promise.withResolvers<WireAnswer>();
  readonly #owner: ExchangeOwner;
  /** Bytes of an incomplete head. */
  #pending: Uint8Array | undefined;
  #head: ResponseHead | undefined;
  #decoder: BodyDecoder | undefined;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #done = false;
  #error: Error | undefined;
  /** The reader that waits for the next bytes. */
  #next: { resolve: (bytes?: Uint8Array) => void; reject: (error: Error) => void } | undefined;
  #paused = false;
  readonly #onOver: () => void;

  /** @param onOver called once when the exchange ends: complete, failed or discarded */
  constructor(owner: ExchangeOwner, onOver: () => void) {
    this.#owner = owner;
    this.#onOver = onOver;
  }

  /** Resolves when the head has arrived. @throws ConnectionLost, MalformedResponse */
  get answer(): Promise<WireAnswer> {
    return this.#answer.promise;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  read(): Promise<Uint8Array | undefined> {
    if (this.#size > 0) {
      const bytes = this.#taken();
      this.#resume();
      return Promise.resolve(bytes);
    }
    if (this.#error) return Promise.reject(this.#error);
    if (this.#done) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => (this.#next = { resolve, reject }));
  }

  get isOver(): boolean {
    return this.#done && this.#size === 0;
  }

  discard(): void {
    if (!this.#done) this.#owner.close();
  }

  /** @throws MalformedResponse; the owner then fails the exchange and closes */
  receive(bytes: Uint8Array): void {
    if (this.#done) return this.#owner.close();
    let rest: Uint8Array | undefined = bytes;
    while (rest && !this.#decoder) rest = this.#readHead(rest);
    if (rest && this.#decoder) this.#readBody(this.#decoder, rest);
  }

  /** The connection is gone. */
  end(error: Error): void {
    if (this.#done) return;
    if (this.#decoder?.endsWithConnection && !this.#error) this.#finish(false);
    else this.fail(error);
  }

  fail(error: Error): void {
    if (this.#done || this.#error) return;
    this.#error = error;
    this.#answer.reject(error);
    this.#next?.reject(error);
    this.#onOver();
  }

  /** @returns the bytes after the head; undefined if the head is incomplete */
  #readHead(bytes: Uint8Array): Uint8Array | undefined {
    const all = this.#pending ? Buffer.concat([this.#pending, bytes]) : asBuffer(bytes);
    const end = all.indexOf(emptyLine);
    if (end > HEAD_MAX_BYTES || (end < 0 && all.length > HEAD_MAX_BYTES)) {
      throw new MalformedResponse('its head is too large');
    }
    if (end < 0) {
      this.#pending = all;
      return undefined;
    }
    this.#pending = undefined;
    const head = new ResponseHead(all.toString('latin1', 0, end));
    const rest = all.subarray(end + emptyLine.length);
    // 1xx heads come before the real one; 101 was not requested.
    if (head.status >= 100 && head.status < 200 && head.status !== 101) return rest;
    this.#begin(head);
    return rest;
  }

  #begin(head: ResponseHead): void {
    this.#head = head;
    this.headers = head;
    this.status = head.status;
    this.#decoder = bodyDecoder(head);
    this.#answer.resolve(this);
  }

  #readBody(decoder: BodyDecoder, bytes: Uint8Array): void {
    const done = decoder.push(bytes, this.#take);
    if (done) return this.#finish((this.#head?.keepAlive ?? false) && !decoder.overrun);
    this.#handOver();
    if (this.#size <= UNREAD_MAX_BYTES) return;
    this.#paused = true;
    this.#owner.pause(true);
  }

  readonly #take = (data: Uint8Array): void => {
    this.#chunks.push(data);
    this.#size += data.length;
  };

  #finish(reusable: boolean): void {
    this.#done = true;
    this.#resume();
    this.#owner.finished(reusable);
    this.#onOver();
    this.#handOver();
    this.#next?.resolve();
  }

  #handOver(): void {
    const next = this.#next;
    if (!next || this.#size === 0) return;
    this.#next = undefined;
    next.resolve(this.#taken());
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#owner.pause(false);
  }

  #taken(): Uint8Array {
    const chunks = this.#chunks;
    const size = this.#size;
    this.#chunks = [];
    this.#size = 0;
    const [only] = chunks;
    return only && chunks.length === 1 ? only : Buffer.concat(chunks, size);
  }
}
