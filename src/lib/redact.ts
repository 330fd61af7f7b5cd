import { lettersIn, lettersOf, plainOf, readingsOf, type Reading } from './readings.ts';

/** So many characters in a row that are also in a private text are no coincidence worth keeping. */
export const PIECE_MIN = 12;
/** A private text that is shorter than a piece is recognised whole, unless it is shorter than this. */
const WHOLE_MIN = 4;
const MASK = '…';

/** Texts that must not get into the log. */
export interface PrivateTexts {
  /** What people and models wrote. Recognised in pieces, and as a whole when it is short. */
  said: readonly string[];
  /** What else was sent. Recognised in pieces only, since short ones may be common words, e.g. names of parameters. */
  sent: readonly string[];
}

/** Private texts are read in stretches of this length, which overlap so that no piece is cut, however it is escaped. */
const STRETCH_CHARS = 32_768;
const OVERLAP_CHARS = 1_024;
/** After so many milliseconds of work, other requests get their turn. */
const SLICE_MS = 5;

/**
 * Masks in a text what it repeats of private ones, and leaves the rest as it is. Masked is every piece of `PIECE_MIN`
 * characters, also if it was escaped (JSON, HTML, percent, `\x`), if its case, white space or punctuation were changed,
 * or if it was cut. Takes time in proportion to the private texts; other requests get their turn meanwhile.
 */
export async function redact(text: string, { said, sent }: PrivateTexts): Promise<string> {
  const masked = new Uint8Array(text.length);
  const readings = readingsOf(text);
  const whole = new Pieces(readings, masked);
  const letters = new Pieces(readings.map(lettersIn), masked);
  let since = performance.now();
  const sources = [
    ...sent.map((source) => ({ source, isSaid: false })),
    ...said.map((source) => ({ source, isSaid: true })),
  ];
  for (const { source, isSaid } of sources) {
    const isWhole = isSaid && source.length <= STRETCH_CHARS;
    for (let start = 0; start < source.length; start += STRETCH_CHARS) {
      const stretch = source.slice(start, start + STRETCH_CHARS + OVERLAP_CHARS);
      for (const form of new Set([stretch, plainOf(stretch)])) {
        whole.mask(form, isWhole);
        letters.mask(lettersOf(form), isWhole);
      }
      if (performance.now() - since < SLICE_MS) continue;
      await new Promise((resume) => setImmediate(resume));
      since = performance.now();
    }
  }
  return withMasks(text, masked);
}

function withMasks(text: string, masked: Uint8Array): string {
  let kept = '';
  for (let at = 0; at < text.length; at++) {
    if (!masked[at]) kept += text[at];
    else if (at === 0 || !masked[at - 1]) kept += MASK;
  }
  return kept.toWellFormed();
}

const HASH_BASE = 0x01_00_01_93;
const HASH_BITS = 18;
/** What the character that leaves the window was multiplied with. */
const LEAVING = Array.from({ length: PIECE_MIN - 1 }).reduce<number>(
  (power) => Math.imul(power, HASH_BASE),
  1,
);

/** All pieces of the readings of a text, to be looked for in texts that may be megabytes long. */
class Pieces {
  readonly #readings: readonly Reading[];
  readonly #masked: Uint8Array;
  /** Where each piece stands in the text: from, to. */
  readonly #places = new Map<string, [number, number][]>();
  /** Whether any piece has such a hash: nearly always no, so that hardly any piece is cut out of a source. */
  readonly #hashes = new Uint8Array(1 << HASH_BITS);

  /** @param masked gets a 1 for every unit of the text that is not to be told */
  constructor(readings: readonly Reading[], masked: Uint8Array) {
    this.#readings = readings;
    this.#masked = masked;
    for (const { text, from, to } of readings) {
      for (let at = 0, last = PIECE_MIN - 1; last < text.length; at++, last++) {
        this.#add(text.slice(at, last + 1), [from[at] ?? 0, to[last] ?? 0]);
      }
    }
  }

  #add(piece: string, place: [number, number]): void {
    const places = this.#places.get(piece);
    if (places) {
      places.push(place);
      return;
    }
    this.#places.set(piece, [place]);
    let hash = 0;
    for (let unit = 0; unit < PIECE_MIN; unit++) hash = rolled(hash, piece.charCodeAt(unit));
    this.#hashes[bucketOf(hash)] = 1;
  }

  /** Masks every piece that stands in the source, too. @param isWhole a short source is a piece by itself */
  mask(source: string, isWhole: boolean): void {
    if (source.length < PIECE_MIN) {
      if (isWhole && source.length >= WHOLE_MIN) this.#maskWhole(source);
      return;
    }
    if (this.#places.size === 0) return;
    let hash = 0;
    for (let end = 0; end < source.length; end++) {
      const start = end - PIECE_MIN;
      if (start >= 0) hash -= Math.imul(source.charCodeAt(start), LEAVING);
      hash = rolled(hash, source.charCodeAt(end));
      if (this.#hashes[bucketOf(hash)] && start >= -1) {
        const places = this.#places.get(source.slice(start + 1, end + 1)) ?? [];
        for (const [from, to] of places) this.#masked.fill(1, from, to);
      }
    }
  }

  #maskWhole(source: string): void {
    for (const { text, from, to } of this.#readings) {
      for (let at = text.indexOf(source); at >= 0; at = text.indexOf(source, at + 1)) {
        this.#masked.fill(1, from[at], to[at + source.length - 1]);
      }
    }
  }
}

function rolled(hash: number, code: number): number {
  return (Math.imul(hash, HASH_BASE) + code) | 0;
}

function bucketOf(hash: number): number {
  return (hash ^ (hash >>> HASH_BITS)) & ((1 << HASH_BITS) - 1);
}
