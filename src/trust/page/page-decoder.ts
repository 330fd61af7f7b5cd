import { analyse } from 'chardet';
import { KIB } from './limits.ts';

/** Part of a page that may declare its charset (WHATWG: the first 1,024 bytes). */
const PRESCAN_BYTES = 1_024;
/** Bytes from which a charset is guessed, beginning with the first one that is not ASCII. */
const SAMPLE_BYTES = 16 * KIB;

/** From this confidence (of 100), the guess of the statistics is used; a page's text gives about 50. */
const CONFIDENCE_SURE = 50;
/** Below it the guess is noise, as for a few words. */
const CONFIDENCE_MIN = 20;
/** When there is no evidence: what browsers use for western pages. */
const FALLBACK = 'windows-1252';

/** Labels that pages use and the Encoding standard lacks. */
const aliases: Record<string, string> = {
  'win-1251': 'windows-1251',
  win1251: 'windows-1251',
  cp_1251: 'windows-1251',
  'windows-cp1251': 'windows-1251',
  koi8r: 'koi8-r',
  utf: 'utf-8',
};

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
      const declared =
        encodingOfMark(this.#held) ??
        encodingOfHeader(this.#contentType) ??
        encodingOfMeta(this.#held) ??
        encodingOfXml(this.#held);
      if (declared !== null) return this.#use(declared);
    }
    const ascii = this.#takeAscii();
    if (!atEnd && this.#held.length < SAMPLE_BYTES) return ascii;
    if (this.#held.length === 0) return ascii;
    return ascii + this.#use(guessEncoding(this.#held.subarray(0, SAMPLE_BYTES)));
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

/** @param encoding any label of the standard; the runtime's types list only some @throws RangeError for any other */
function decoderOf(encoding: string): TextDecoder {
  return new TextDecoder(encoding as ConstructorParameters<typeof TextDecoder>[0]);
}

/** The standard's name of an encoding, or null for a label that can't be decoded. */
function encodingNamed(label: string | undefined): string | null {
  const name = label?.trim().toLowerCase() ?? '';
  if (name === '') return null;
  try {
    return decoderOf(aliases[name] ?? name).encoding;
  } catch {
    return null;
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

/** Guesses the encoding of a sample: UTF-8 if it is valid, otherwise by its letters. */
function guessEncoding(sample: Uint8Array): string {
  if (isUtf8(sample)) return 'utf-8';
  const text = withoutTags(sample);
  const guesses = analyse(text)
    .map(({ name, confidence }) => ({ encoding: encodingNamed(name), confidence }))
    .filter(({ encoding }) => encoding !== null && !encoding.startsWith('utf-'));
  const [best] = guesses;
  if (best?.encoding && best.confidence >= CONFIDENCE_SURE) return best.encoding;
  const russian = russianOf(text);
  if (russian !== null) return russian;
  return best?.encoding && best.confidence >= CONFIDENCE_MIN ? best.encoding : FALLBACK;
}

/** The sample may end inside a character. */
function isUtf8(sample: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Markup is ASCII in every encoding and would outweigh the letters that distinguish them. */
function withoutTags(sample: Uint8Array): Uint8Array {
  const latin1 = Buffer.from(sample).toString('latin1');
  const text = latin1.replace(/<(?:script|style)\b[^]*?<\/|<[^<>]*>/gi, ' ').replace(/\s+/g, ' ');
  return Buffer.from(text, 'latin1');
}

/**
 * A few Russian words are too short for statistics of letter pairs, but not for those of letters: ten letters make up
 * 60 % of Russian text. windows-1251 and koi8-r use the same bytes for letters, with upper and lower case swapped.
 */
function russianOf(text: Uint8Array): string | null {
  const high = text.reduce((sum, byte) => sum + (byte > 0x7f ? 1 : 0), 0);
  const candidates = ['windows-1251', 'koi8-r'].map((encoding) => {
    const decoded = decoderOf(encoding).decode(text);
    const letters = count(decoded, /[а-яё]/gi);
    const small = count(decoded, /[а-яё]/g);
    const common = count(decoded, /[оеаинтсрвл]/gi);
    // Quotes and dashes are not ASCII either, but most of a text is letters, most of them lower case.
    const isPlausible = letters > 0.8 * high && small > 0.5 * letters && common > 0.4 * letters;
    return { encoding, score: isPlausible ? common + small : 0 };
  });
  const [best] = candidates.toSorted((a, b) => b.score - a.score);
  return best && best.score > 0 ? best.encoding : null;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
