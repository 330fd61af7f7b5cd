import { createParser } from 'eventsource-parser';
import { malformedAnswer } from './failures.ts';

export interface SseEvent {
  /** Empty when the event has no name. */
  event: string;
  data: string;
}

/** Most UTF-16 units of an unfinished line and event: tool calls can contain whole files. */
export const SSE_BUFFER_MAX = 16 * 1024 * 1024;

/**
 * Parses `text/event-stream`: bytes in, split anywhere, events out. Whether the stream was complete is for
 * the dialect to decide.
 */
export class SseParser {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #events: SseEvent[] = [];
  readonly #parser = createParser({
    maxBufferSize: SSE_BUFFER_MAX,
    onEvent: ({ event = '', data }) => this.#events.push({ event, data }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw malformedAnswer('an event is too long');
    },
  });

  /**
   * @returns the events that these bytes complete
   * @throws ProviderError `failed` when the bytes are not UTF-8 or an event is too long
   */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#parse(this.#decode(bytes));
  }

  /** Ends the stream. A last event without its blank line still counts. */
  end(): SseEvent[] {
    return this.#parse(`${this.#decode()}\n\n`);
  }

  #parse(text: string): SseEvent[] {
    this.#parser.feed(text);
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }

  #decode(bytes?: Uint8Array): string {
    try {
      return bytes ? this.#decoder.decode(bytes, { stream: true }) : this.#decoder.decode();
    } catch {
      throw malformedAnswer('it is not UTF-8');
    }
  }
}
