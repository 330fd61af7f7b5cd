import {
  decoderOf,
  encodingOfHeader,
  encodingOfMark,
  encodingOfMeta,
  encodingOfXml,
  guessEncoding,
} from './charset.ts';
import { CHARSET_PRESCAN_BYTES, CHARSET_SAMPLE_BYTES } from './limits.ts';

/** How the encoding of a page became known. */
export type CharsetSource = 'bom' | 'header' | 'meta' | 'xml' | 'guess';

/**
 * Turns the bytes of a page into text. The encoding is told by the byte order mark, the header, a
 * `<meta>` in the first 1,024 bytes, the XML declaration, or else guessed from the first bytes that are not
 * ASCII; until those come, text flows on, since ASCII reads alike in whatever may be guessed.
 */
export class PageDecoder {
  readonly #contentType: string | undefined;
  #held: Uint8Array = new Uint8Array(0);
  #isPrescanned = false;
  #decoder: TextDecoder | undefined;
  #source: CharsetSource = 'guess';

  /** @param contentType the header as it came */
  constructor(contentType: string | undefined) {
    this.#contentType = contentType;
  }

  /** The encoding's name, and how it became known; after the end. */
  get charset(): { name: string; source: CharsetSource } {
    return { name: this.#decoder?.encoding ?? 'utf-8', source: this.#source };
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
      const found = this.#declared();
      if (found) return this.#use(...found);
    }
    const ascii = this.#takeAscii();
    if (!atEnd && this.#held.length < CHARSET_SAMPLE_BYTES) return ascii;
    if (this.#held.length === 0) return ascii;
    return ascii + this.#use(guessEncoding(this.#held.subarray(0, CHARSET_SAMPLE_BYTES)), 'guess');
  }

  #declared(): [encoding: string, source: CharsetSource] | null {
    const mark = encodingOfMark(this.#held);
    if (mark !== null) return [mark, 'bom'];
    const header = encodingOfHeader(this.#contentType);
    if (header !== null) return [header, 'header'];
    const meta = encodingOfMeta(this.#held);
    if (meta !== null) return [meta, 'meta'];
    const xml = encodingOfXml(this.#held);
    return xml === null ? null : [xml, 'xml'];
  }

  #use(encoding: string, source: CharsetSource): string {
    this.#decoder = decoderOf(encoding);
    this.#source = source;
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
