import { analyse } from 'chardet';

/** From this confidence (of 100) on, the statistical guess is used; the text of a page gives about 50. */
const CONFIDENCE_SURE = 50;
/** Below it the guess is noise, as with a few words. */
const CONFIDENCE_MIN = 20;
/** The encoding if there is no evidence: what browsers use for western pages. */
const FALLBACK = 'windows-1252';

/** Labels that pages use and the Encoding standard lacks. */
const aliases: Record<string, string> = {
  'win-1251': 'windows-1251',
  win1251: 'windows-1251',
  cp_1251: 'windows-1251',
  'windows-cp1251': 'windows-1251',
  koi8r: 'koi8-r',
  cp866: 'ibm866',
  utf: 'utf-8',
};

/** @param encoding any label of the standard; the runtime's types list only some @throws RangeError for any other */
export function decoderOf(encoding: string, fatal = false): TextDecoder {
  return new TextDecoder(encoding as ConstructorParameters<typeof TextDecoder>[0], { fatal });
}

/** The standard's name of an encoding, or null for a label that can't be decoded. */
export function encodingNamed(label: string | undefined): string | null {
  const name = label?.trim().toLowerCase() ?? '';
  if (name === '') return null;
  try {
    return decoderOf(aliases[name] ?? name).encoding;
  } catch {
    return null;
  }
}

/** Guesses the encoding of a sample: UTF-8 if it is valid UTF-8, otherwise by its letters. */
export function guessEncoding(sample: Uint8Array): string {
  if (isUtf8(sample)) return 'utf-8';
  const text = withoutTags(sample);
  // The statistics do not know this encoding, and take it for another one.
  if (russianOf(text, COMMON_SHARE_SURE) === 'ibm866') return 'ibm866';
  const guesses = analyse(text)
    .map(({ name, confidence }) => ({ encoding: encodingNamed(name), confidence }))
    .filter(({ encoding }) => encoding !== null && !encoding.startsWith('utf-'));
  const [best] = guesses;
  if (best?.encoding && best.confidence >= CONFIDENCE_SURE) return best.encoding;
  const russian = russianOf(text, COMMON_SHARE);
  if (russian !== null) return russian;
  return best?.encoding && best.confidence >= CONFIDENCE_MIN ? best.encoding : FALLBACK;
}

/**
 * Declared encodings that a sample may refute: each byte is a character, so that any text seems to be valid in them.
 */
const ONE_BYTE = /^(?:windows-125\d|iso-8859-\d+|koi8-[ru]|ibm866|x-mac-cyrillic)$/;
/** The fewest multi-byte characters that do not form valid UTF-8 by chance. */
const UTF8_CHARACTERS_MIN = 3;
/**
 * The encoding of a sample that can't be in the declared one: UTF-8 under the name of another encoding, and Russian
 * under the name of UTF-8 or of a western encoding, which servers with an old default declare for every page.
 * @returns null if the declaration may be right
 */
export function refutedBy(sample: Uint8Array, declared: string): string | null {
  if (declared !== 'utf-8' && !ONE_BYTE.test(declared)) return null;
  if (isUtf8(sample)) {
    const several = count(decoderOf('utf-8').decode(sample, { stream: true }), NOT_ASCII);
    return declared !== 'utf-8' && several >= UTF8_CHARACTERS_MIN ? 'utf-8' : null;
  }
  if (declared !== 'utf-8' && declared !== FALLBACK) return null;
  const read = decoderOf('utf-8').decode(sample, { stream: true });
  const broken = count(read, /\ufffd/g);
  // In ibm866, pairs of letters are often valid by chance.
  if (declared === 'utf-8' && count(read, NOT_ASCII) - broken > broken) return null;
  return russianOf(withoutTags(sample), COMMON_SHARE_SURE);
}

const NOT_ASCII = /[\u0080-\u{10ffff}]/gu;

/** The sample may end inside a character. */
function isUtf8(sample: Uint8Array): boolean {
  try {
    decoderOf('utf-8', true).decode(sample, { stream: true });
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

/** The ten commonest letters make up 66 % of Russian text; a few words have fewer. */
const COMMON_SHARE = 0.4;
/** To overrule a declaration, the text must look even more like Russian. */
const COMMON_SHARE_SURE = 0.5;

/**
 * A few Russian words are too short for statistics of letter pairs, but not for those of letters. windows-1251 and
 * koi8-r use the same bytes for letters, with upper and lower case swapped; those of ibm866 are not letters in either.
 */
function russianOf(text: Uint8Array, commonShare: number): string | null {
  const high = text.reduce((sum, byte) => sum + (byte > 0x7f ? 1 : 0), 0);
  const candidates = ['windows-1251', 'koi8-r', 'ibm866'].map((encoding) => {
    const decoded = decoderOf(encoding).decode(text);
    const letters = count(decoded, /[а-яё]/gi);
    const small = count(decoded, /[а-яё]/g);
    const common = count(decoded, /[оеаинтсрвл]/gi);
    // Accented letters in western words stand alone.
    const inWords = count(decoded, /[а-яё]{3,}/gi, (word) => word.length);
    // Quotes and dashes are not ASCII either, but most of a text is letters, most of them lower case.
    const isPlausible =
      letters > 0.8 * high &&
      small > 0.5 * letters &&
      common > commonShare * letters &&
      inWords > 0.5 * letters;
    return { encoding, score: isPlausible ? common + small : 0 };
  });
  const [best] = candidates.toSorted((a, b) => b.score - a.score);
  return best && best.score > 0 ? best.encoding : null;
}

function count(text: string, pattern: RegExp, weight = (_match: string) => 1): number {
  return (text.match(pattern) ?? []).reduce((sum, match) => sum + weight(match), 0);
}
