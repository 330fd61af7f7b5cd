import { decoderOf, encodingNamed, guessEncoding, refutedBy } from './charset.ts';
import { KIB } from './limits.ts';

/** Part of a page that may declare its charset (WHATWG: the first 1,024 bytes). */
const PRESCAN_BYTES = 1_024;
/** Bytes from which a charset is guessed, beginning with the first one that is not ASCII. */
const SAMPLE_BYTES = 16 * KIB;
/** In UTF-16, each pair of bytes of markup contains a zero; this share of the pairs is enough. */
const ZERO_SHARE_MIN = 0.2;

/**
 * Turns the bytes of a page into text. The encoding is named by the byte order mark, the zeros of UTF-16, the header, a
 * `<meta>` in the first 1,024 bytes or the XML declaration, in this order. If none names it, or the bytes can't be in
 * it, it is guessed from the first bytes that are not ASCII; until those come, text is passed on, since ASCII is the
 * same in every encoding that may be guessed.
 */
export class PageDecoder {
  readonly #contentType: string | undefined;
  #held: Uint8Array = new Uint8Array(0);
  #isPrescanned = false;
  /** The declared encoding, until the bytes have been compared with it. */
  #declared: string | null = null;
  #decoder: TextDecoder | undefined;

  constructor(contentType: string | undefined) {
    this.#contentType = contentType;
  }

  push(bytes: Uint8Array): string {
    if (this.#decoder) return this.#decoder.decode(bytes, { stream: true });
    this.#held = Buffer.concat([this.#held, bytes]);
    if (!this.#isPrescanned && this.#held.length < PRESCAN_BYTES) return '';
    return this.#decide(false);
  }

  end(): string {
    const rest = this.#decoder ? '' : this.#decide(true);
    return rest + (this.#decoder?.decode() ?? '');
  }

  #decide(atEnd: boolean): string {
    if (!this.#isPrescanned) {
      this.#isPrescanned = true;
      const sure = encodingOfMark(this.#held) ?? encodingOfZeros(this.#held);
      if (sure !== null) return this.#use(sure);
      this.#declared =
        encodingOfHeader(this.#contentType) ??
        encodingOfMeta(this.#held) ??
        encodingOfXml(this.#held);
      // In these two, ASCII bytes are not always ASCII characters.
      if (/^(?:utf-16|iso-2022)/.test(this.#declared ?? '')) return this.#use(this.#declared ?? '');
    }
    const ascii = this.#takeAscii();
    if (!atEnd && this.#held.length < SAMPLE_BYTES) return ascii;
    if (this.#held.length === 0) return ascii;
    return ascii + this.#use(this.#encodingOf(this.#held.subarray(0, SAMPLE_BYTES)));
  }

  #encodingOf(sample: Uint8Array): string {
    if (this.#declared === null) return guessEncoding(sample);
    return refutedBy(sample, this.#declared) ?? this.#declared;
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

function encodingOfHeader(contentType: string | undefined): string | null {
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i.exec(contentType ?? '');
  return encodingNamed(match?.[1] ?? match?.[2] ?? match?.[3]);
}

function encodingOfMark(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return null;
}

/**
 * UTF-16 without a mark: in many pairs one byte is zero, always the same one. In no other encoding do pages contain
 * zeros.
 */
function encodingOfZeros(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, PRESCAN_BYTES);
  const zerosAt = (place: number) =>
    head.filter((byte, at) => byte === 0 && at % 2 === place).length;
  const [first, second] = [zerosAt(0), zerosAt(1)];
  if (Math.min(first, second) > 0) return null;
  if (Math.max(first, second) < (ZERO_SHARE_MIN * head.length) / 2) return null;
  return first > 0 ? 'utf-16be' : second > 0 ? 'utf-16le' : null;
}

/** The encoding that a `<meta>` within the first 1,024 bytes declares, as the WHATWG prescan finds it. */
function encodingOfMeta(bytes: Uint8Array): string | null {
  const text = headOf(bytes).replace(/<!--[^]*?(?:-->|$)/g, '');
  for (const [tag] of text.matchAll(/<meta[\s/][^>]*/gi)) {
    const charset = /\scharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag)?.[1];
    const isType = /http-equiv\s*=\s*["']?\s*content-type/i.test(tag);
    const content = isType ? /charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(tag)?.[1] : undefined;
    const encoding = encodingNamed(charset ?? content);
    if (encoding !== null) return readAsAscii(encoding);
  }
  return null;
}

/** The encoding in the XML declaration at the beginning of a page. Browsers use it for HTML too, after `<meta>`. */
function encodingOfXml(bytes: Uint8Array): string | null {
  const declaration = /^<\?xml\s[^>]*/.exec(headOf(bytes))?.[0] ?? '';
  const match = /\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration);
  const encoding = encodingNamed(match?.[1] ?? match?.[2]);
  return encoding === null ? null : readAsAscii(encoding);
}

/** The part of a page that may declare its encoding. */
function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1');
}

/** A declaration that was readable as ASCII is not in UTF-16. */
function readAsAscii(encoding: string): string {
  return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
}
