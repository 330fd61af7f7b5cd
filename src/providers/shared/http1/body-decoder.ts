/** How the end of a body is told: RFC 9112, section 6.3. */
export type Framing =
  { kind: 'length'; bytes: number } | { kind: 'chunked' } | { kind: 'until-close' };

const wholeNumber = /^\d{1,15}$/;

/** @throws MalformedResponse when the head contradicts itself */
export function framingOf(head: ResponseHead): Framing {
  if (head.status === 204 || head.status === 304) return { kind: 'length', bytes: 0 };
  const encoding = head.get('transfer-encoding');
  if (encoding !== null) {
    if (encoding.toLowerCase() === 'chunked') return { kind: 'chunked' };
    throw new MalformedResponse(`its transfer encoding is unknown: ${encoding}`);
  }
  const length = head.get('content-length');
  if (length === null) return { kind: 'until-close' };
  if (wholeNumber.test(length)) return { kind: 'length', bytes: Number(length) };
  // The same length told twice is joined by a comma; two different ones are an attack.
  const [first = '', ...others] = length.split(',').map((part) => part.trim());
  if (!wholeNumber.test(first) || others.some((other) => other !== first)) {
    throw new MalformedResponse(`its content length is no number: ${length}`);
  }
  return { kind: 'length', bytes: Number(first) };
}

/** Takes the bytes after a head as they come, and hands on those of the body. */
export interface BodyDecoder {
  /**
   * @param bytes are the decoder's: it may move them
   * @returns true once the body is complete
   * @throws MalformedResponse
   */
  push(bytes: Uint8Array, emit: (data: Uint8Array) => void): boolean;
  /** True when more came than the body: the connection can't be used again. */
  readonly overrun: boolean;
  /** Whether the end of the connection is the end of the body. */
  readonly endsWithConnection: boolean;
}

export function bodyDecoder(framing: Framing): BodyDecoder {
  if (framing.kind === 'chunked') return new ChunkedDecoder();
  return new LengthDecoder(framing.kind === 'length' ? framing.bytes : Infinity);
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
 * RFC 9112, section 7.1; extensions of chunks and trailers are read over. The data of the chunks that came
 * together is moved together, over the lines between them, and handed on in one piece.
 */
class ChunkedDecoder implements BodyDecoder {
  readonly endsWithConnection = false;
  overrun = false;
  #state: 'size' | 'data' | 'data-end' | 'trailer' | 'done' = 'size';
  #left = 0;
  /** The line that is being read, of sizes and trailers. */
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
      // What came before a broken line was said.
      if (last > first) emit(bytes.subarray(first, last));
    }
    if (at < bytes.length) this.overrun = true;
    return this.#state === 'done';
  }

  /** @returns after the end of the line, or of the bytes when they end within it */
  #lineBytes(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    this.#line += bytes.toString('latin1', at, end < 0 ? bytes.length : end);
    if (this.#line.length > HEAD_MAX_BYTES) throw new MalformedResponse('a line is too long');
    if (end < 0) return bytes.length;
    if (!this.#line.endsWith('\r')) {
      throw new MalformedResponse('a line of its chunks is broken');
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
      if (size === undefined) throw new MalformedResponse('the size of a chunk is no number');
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

/** The same bytes, not copied. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The head of an HTTP/1.1 response: RFC 9112, sections 2 to 5. */

/** Most bytes of a response's head; servers keep theirs under 16 KiB. */
export const HEAD_MAX_BYTES = 64 * 1024;

/** The server sent something that is no HTTP/1.1. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/;
const LINE_END = '\r\n';
const SPACE = 0x20;
const TAB = 0x09;

/** A head that is well-formed. Of the many headers that servers send few are read, so each is found when asked for. */
export class ResponseHead {
  readonly status: number;
  readonly #minor: string | undefined;
  readonly #text: string;
  /** Of each header line its begin, its colon and its end. */
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

  /** Whether the connection may carry another request, as far as the head tells. */
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
