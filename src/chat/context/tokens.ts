/**
 * Token counts where no provider tells them, by the o200k vocabulary; always marked as estimates.
 * The vocabulary is large, so it is loaded on first use, not at start.
 */

/** A byte-pair merge takes quadratic time on one long run, so text is counted in pieces of this length. */
const PIECE_CHARS = 1_000;
/**
 * Pieces of one text that are counted. Random letters of a large alphabet take some milliseconds each, and a body
 * may be 32 MiB: of a longer text so many are counted, spread evenly, and the others taken to be like them.
 */
const PIECES_MAX = 1_000;
/** How long others wait for a count at the most, in milliseconds. */
const SLICE_MS = 5;

let loading: Promise<(text: string) => number> | undefined;

async function loadCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text such as "<|endoftext|>" is what a user typed, not a control token.
  return (text) => countTokens(text, { disallowedSpecial: new Set() });
}

/**
 * An estimate of how many tokens `text` is. Never more than its UTF-8 bytes. Others have their turn meanwhile.
 * @param enough counting stops above it, where nothing but that is asked
 */
export async function estimateTokens(text: string, enough = Infinity): Promise<number> {
  if (text === '') return 0;
  loading ??= loadCounter();
  const count = await loading;
  const pieces = Math.ceil(text.length / PIECE_CHARS);
  const step = Math.max(1, pieces / PIECES_MAX);
  let [tokens, chars, since] = [0, 0, performance.now()];
  for (let at = 0; at < pieces && tokens <= enough; at += step) {
    const start = Math.floor(at) * PIECE_CHARS;
    const piece = text.slice(start, start + PIECE_CHARS);
    tokens += count(piece);
    chars += piece.length;
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise((resume) => setImmediate(resume));
    since = performance.now();
  }
  if (tokens > enough || step === 1) return tokens;
  return Math.min(Buffer.byteLength(text), Math.round((tokens * text.length) / chars));
}
