/** Extracts the body from the bytes after a head. */
export interface BodyDecoder {
  /**
   * @param bytes the decoder may move data within them
   * @returns true once the body is complete
   * @throws MalformedResponse
   */
  push(bytes: Uint8Array, emit: (data: Uint8Array) => void): boolean;
  /** True if there were bytes after the body: then the connection cannot be reused. */
  readonly overrun: boolean;
  /** Whether the end of the connection is the end of the body. */
  readonly endsWithConnection: boolean;
}

const wholeNumber = /^\d{1,15}$/;

/**
 * RFC 9112, section 6.3.
 * @throws MalformedResponse when the head contradicts itself
 */
export function bodyDecoder(head: ResponseHead): BodyDecoder {
  if (head.status === 204 || head.status === 304) return new LengthDecoder(0);
  const encoding = head.get('transfer-encoding');
  if (encoding !== null) {
    if (encoding.toLowerCase() === 'chunked') return new ChunkedDecoder();
    throw new MalformedResponse(`its transfer encoding is unknown: ${encoding}`);
  }
  const length = head.get('content-length');
  if (length === null) return new LengthDecoder(Infinity);
  if (wholeNumber.test(length)) return new LengthDecoder(Number(length));
  // The values of a repeated header are joined by a comma; two different lengths are an attack.
  const [first = '', ...others] = length.split(',').map((part) => part.trim());
  if (!wholeNumber.test(first) || others.some((other) => other !== first)) {
    throw new MalformedResponse(`its content length is not a number: ${length}`);
  }
  return new LengthDecoder(Number(first));
}

class LengthDecoder implements BodyDecoder {
  #left: number;
  readonly endsWithConnection: boolean;
  overrun = false;

  constructor(bytes: number) {
    this.#left = bytes;
    this.endsWithConnection = bytes === Infinity;
  }

  push(bytes: Uint8Array, emit: (data: Uint8Array) => void): boolean {
    this.overrun = bytes.length > this.#left;
    const data = this.overrun ? bytes.subarray(0, this.#left) : bytes;
    this.#left -= data.length;
    if (data.length > 0) emit(data);
    return this.#left === 0;
  }
}

const LF = 10;

/**
 * RFC 9112, section 7.1; chunk extensions and trailers are ignored. The data of chunks that arrive together is moved
 * together, over the lines between them, and emitted as one piece.
 */
class ChunkedDecoder implements BodyDecoder {
  readonly endsWithConnection = false;
  overrun = false;
  #state: 'size' | 'data' | 'data-end' | 'trailer' | 'done' = 'size';
  #left = 0;
  /** The unfinished line: a chunk size or a trailer. */
  #line = '';
  #trailerBytes = 0;

  push(pushed: Uint8Array, emit: (data: Uint8Array) => void): boolean {
    const bytes = asBuffer(pushed);
    let at = 0;
    let first = 0;
    let last = 0;
    try {
      while (at < bytes.length && this.#state !== 'done') {
        if (this.#state !== 'data') {
          at = this.#lineBytes(bytes, at);
          continue;
        }
        const end = Math.min(bytes.length, at + this.#left);
        if (first === last) first = last = at;
        else bytes.copyWithin(last, at, end);
        last += end - at;
        this.#left -= end - at;
        if (this.#left === 0) this.#state = 'data-end';
        at = end;
      }
    } finally {
      // Data before a malformed line is still delivered.
      if (last > first) emit(bytes.subarray(first, last));
    }
    if (at < bytes.length) this.overrun = true;
    return this.#state === 'done';
  }

  /** @returns the position after the line, or the end of the bytes if the line is unfinished */
  #lineBytes(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    this.#line += bytes.toString('latin1', at, end < 0 ? bytes.length : end);
    if (this.#line.length > HEAD_MAX_BYTES) throw new MalformedResponse('a line is too long');
    if (end < 0) return bytes.length;
    if (!this.#line.endsWith('\r')) {
      throw new MalformedResponse('a line of its chunks is malformed');
    }
    const line = this.#line.slice(0, -1);
    this.#line = '';
    this.#takeLine(line);
    return end + 1;
  }

  #takeLine(line: string): void {
    if (this.#state === 'data-end') {
      if (line !== '') throw new MalformedResponse('a chunk is longer than it says');
      this.#state = 'size';
    } else if (this.#state === 'size') {
      const size = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
      if (size === undefined) throw new MalformedResponse('the size of a chunk is not a number');
      this.#left = parseInt(size, 16);
      this.#state = this.#left === 0 ? 'trailer' : 'data';
    } else if (line === '') this.#state = 'done';
    else {
      this.#trailerBytes += line.length;
      if (this.#trailerBytes > HEAD_MAX_BYTES)
        throw new MalformedResponse('its trailer is too long');
    }
  }
}

/** The same bytes, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The head of an HTTP/1.1 response: RFC 9112, sections 2 to 5. */

/** Most bytes of a response's head; servers keep theirs under 16 KiB. */
export const HEAD_MAX_BYTES = 64 * 1024;

/** The server sent something other than HTTP/1.1. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/;
const LINE_END = '\r\n';
const SPACE = 0x20;
const TAB = 0x09;

/** A well-formed head. Few headers are ever read, so each one is only located on request. */
export class ResponseHead {
  readonly status: number;
  readonly #minor: string | undefined;
  readonly #text: string;
  /** The start, the colon and the end of each header line. */
  readonly #lines: number[] = [];

  /**
   * @param text the bytes before the empty line, as Latin-1
   * @throws MalformedResponse
   */
  constructor(text: string) {
    const end = endOfLine(text, 0);
    const [, minor, status] = statusLine.exec(text.slice(0, end)) ?? [];
    if (status === undefined) throw new MalformedResponse('it does not begin with a status line');
    this.status = Number(status);
    this.#minor = minor;
    this.#text = text;
    for (let at = end; at < text.length;) at = this.#addLine(at + LINE_END.length);
  }

  /** Whether the connection can be used for another request, according to the head. */
  get keepAlive(): boolean {
    const connection = this.get('connection');
    return this.#minor === '1'
      ? connection === null || !/\bclose\b/i.test(connection)
      : connection !== null && /\bkeep-alive\b/i.test(connection);
  }

  /** @param name in lower case @returns a repeated header's values are joined by a comma; null without one */
  get(name: string): string | null {
    const text = this.#text;
    const lines = this.#lines;
    let found: string | null = null;
    for (let index = 0; index < lines.length; index += 3) {
      const begin = lines[index] ?? 0;
      const colon = lines[index + 1] ?? 0;
      if (colon - begin !== name.length) continue;
      if (text.slice(begin, colon).toLowerCase() !== name) continue;
      const value = text.slice(colon + 1, lines[index + 2]).trim();
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }

  /** @returns the end of the line that begins there */
  #addLine(begin: number): number {
    const text = this.#text;
    const end = endOfLine(text, begin);
    const colon = text.indexOf(':', begin);
    const first = text.charCodeAt(begin);
    const isFolded = first === SPACE || first === TAB;
    // A folded line begins with a space: RFC 9112 lets a client refuse it.
    if (colon <= begin || colon >= end || isFolded || text.charCodeAt(colon - 1) === SPACE) {
      throw new MalformedResponse('a header line is broken');
    }
    this.#lines.push(begin, colon, end);
    return end;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf(LINE_END, from);
  return end < 0 ? text.length : end;
}
