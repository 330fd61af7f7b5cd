import {
  decoderOf,
  encodingOfHeader,
  encodingOfMark,
  encodingOfMeta,
  encodingOfXml,
  guessEncoding,
} from './charset.ts';
import { CHARSET_PRESCAN_BYTES, CHARSET_SAMPLE_BYTES } from './limits.ts';

/**
 * Turns the bytes of a page into text. The encoding is the one that the byte order mark, the header, a `<meta>` in the
 * first 1,024 bytes or the XML declaration says, in this order. Otherwise it is guessed from the first bytes that are
 * not ASCII; until those come, text is passed on, since ASCII reads alike in every encoding that may be guessed.
 */
export class PageDecoder {
  readonly #contentType: string | undefined;
  #held: Uint8Array = new Uint8Array(0);
  #isPrescanned = false;
  #decoder: TextDecoder | undefined;

  /** @param contentType the Content-Type header */
  constructor(contentType: string | undefined) {
    this.#contentType = contentType;
  }

  push(bytes: Uint8Array): string {
    if (this.#decoder) return this.#decoder.decode(bytes, { stream: true });
    this.#held = Buffer.concat([this.#held, bytes]);
    if (!this.#isPrescanned && this.#held.length < CHARSET_PRESCAN_BYTES) return '';
    return this.#decide(false);
  }

  end(): string {
    const rest = this.#decoder ? '' : this.#decide(true);
    return rest + (this.#decoder?.decode() ?? '');
  }

  #decide(atEnd: boolean): string {
    if (!this.#isPrescanned) {
      this.#isPrescanned = true;
      const declared =
        encodingOfMark(this.#held) ??
        encodingOfHeader(this.#contentType) ??
        encodingOfMeta(this.#held) ??
        encodingOfXml(this.#held);
      if (declared !== null) return this.#use(declared);
    }
    const ascii = this.#takeAscii();
    if (!atEnd && this.#held.length < CHARSET_SAMPLE_BYTES) return ascii;
    if (this.#held.length === 0) return ascii;
    return ascii + this.#use(guessEncoding(this.#held.subarray(0, CHARSET_SAMPLE_BYTES)));
  }

  #use(encoding: string): string {
    this.#decoder = decoderOf(encoding);
    const held = this.#held;
    this.#held = new Uint8Array(0);
    return this.#decoder.decode(held, { stream: true });
  }

  #takeAscii(): string {
    const text = Buffer.from(this.#held).toString('latin1');
    const end = text.search(/[\x80-\xff]/);
    const ascii = end < 0 ? text : text.slice(0, end);
    this.#held = this.#held.subarray(ascii.length);
    return ascii;
  }
}
