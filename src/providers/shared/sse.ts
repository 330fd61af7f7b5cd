import { incomprehensible } from './failures.ts';

/** One server-sent event. */
export interface SseEvent {
  /** Empty when the event is unnamed. */
  event: string;
  data: string;
}

/** Longest line, and longest data of one event, in UTF-16 units: tools are called with whole files. */
export const SSE_LINE_MAX = 16 * 1024 * 1024;

const LF = 10;
const CR = 13;

/**
 * An incremental parser of `text/event-stream` (WHATWG HTML, 9.2): bytes in, in any cut, events out.
 * It knows no dialect: whether a stream that ended was complete is for the dialect to say.
 */
export class SseParser {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** The pieces of a line whose end has not come yet; joined once, so that tiny chunks stay cheap. */
  #pieces: string[] = [];
  #length = 0;
  #afterCr = false;
  #event = '';
  #data: string | undefined;
  #events: SseEvent[] = [];

  /**
   * @returns the events that these bytes completed
   * @throws ProviderError `failed` when the stream is not UTF-8 or a line is too long
   */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#read(this.#decode(bytes));
  }

  /** The end of the bytes. An event that lacks only its blank line still counts. */
  end(): SseEvent[] {
    this.#read(this.#decode());
    if (this.#length > 0) this.#endLine('');
    this.#dispatch();
    return this.#take();
  }

  #decode(bytes?: Uint8Array): string {
    try {
      return bytes ? this.#decoder.decode(bytes, { stream: true }) : this.#decoder.decode();
    } catch {
      throw incomprehensible('it is not UTF-8');
    }
  }

  #read(text: string): SseEvent[] {
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit !== LF && unit !== CR) continue;
      // The LF of a CRLF, which may have been cut in two, ends no second line.
      const isSecondHalf = unit === LF && at === start && this.#length === 0 && this.#afterCr;
      if (!isSecondHalf) this.#endLine(text.slice(start, at));
      this.#afterCr = unit === CR;
      start = at + 1;
    }
    if (start < text.length) {
      this.#keep(text.slice(start));
      this.#afterCr = false;
    }
    return this.#take();
  }

  #keep(piece: string): void {
    this.#length += piece.length;
    if (this.#length > SSE_LINE_MAX) throw incomprehensible('a line of it is too long');
    this.#pieces.push(piece);
  }

  #endLine(rest: string): void {
    let line = rest;
    if (this.#length > 0) {
      line = this.#pieces.join('') + rest;
      this.#pieces = [];
      this.#length = 0;
    }
    if (line === '') this.#dispatch();
    else this.#field(line);
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    // One space after the colon is not part of the value. A line that starts with a colon is a comment.
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') this.#event = value;
    if (name !== 'data') return;
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    if (this.#data.length > SSE_LINE_MAX) throw incomprehensible('an event of it is too long');
  }

  #dispatch(): void {
    if (this.#data !== undefined) this.#events.push({ event: this.#event, data: this.#data });
    this.#event = '';
    this.#data = undefined;
  }

  #take(): SseEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }
}
