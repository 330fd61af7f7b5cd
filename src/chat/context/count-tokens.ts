/** The counting of tokens by the o200k vocabulary, on the thread that `tokens.ts` starts. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** A byte-pair merge takes quadratic time on one long run, so text is counted in pieces of this length. */
const PIECE_CHARS = 1_000;
/**
 * Most pieces of one text that are counted: a piece of random letters takes some milliseconds, and a body may have 32
 * MiB. Of a longer text so many pieces are counted, spread evenly, and the count is scaled up.
 */
const PIECES_MAX = 1_000;
/** After so many milliseconds of counting, other texts get their turn. */
const SLICE_MS = 5;

/** Text such as "<|endoftext|>" is what a user typed, not a control token. */
const options = { disallowedSpecial: new Set<string>() };

/**
 * Estimates how many tokens `text` has: never more than its UTF-8 bytes. Other texts get their turn meanwhile.
 * @param enough counting stops above it
 */
export async function countTokensOf(text: string, enough: number): Promise<number> {
  const pieces = Math.ceil(text.length / PIECE_CHARS);
  const step = Math.max(1, pieces / PIECES_MAX);
  let [tokens, chars, since] = [0, 0, performance.now()];
  for (let at = 0; at < pieces && tokens <= enough; at += step) {
    const start = Math.floor(at) * PIECE_CHARS;
    const piece = text.slice(start, start + PIECE_CHARS);
    tokens += countTokens(piece, options);
    chars += piece.length;
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise((resume) => setImmediate(resume));
    since = performance.now();
  }
  if (tokens > enough || step === 1) return tokens;
  return Math.min(Buffer.byteLength(text), Math.round((tokens * text.length) / chars));
}
