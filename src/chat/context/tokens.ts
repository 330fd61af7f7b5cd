/**
 * Token counts where no provider reports them, by the o200k vocabulary; always marked as estimates.
 * The vocabulary is large, so it is loaded on first use, not at start.
 */

/** A byte-pair merge takes quadratic time on one long run, so text is counted in pieces of this length. */
const PIECE_CHARS = 1_000;
/**
 * Most pieces of one text that are counted: a piece of random letters takes some milliseconds, and a body may have 32
 * MiB. Of a longer text so many pieces are counted, spread evenly, and the count is scaled up.
 */
const PIECES_MAX = 1_000;
/** After so many milliseconds of counting, other requests get their turn. */
const SLICE_MS = 5;

let loading: Promise<(text: string) => number> | undefined;

async function loadCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text such as "<|endoftext|>" is what a user typed, not a control token.
  return (text) => countTokens(text, { disallowedSpecial: new Set() });
}

/**
 * Estimates how many tokens `text` has: never more than its UTF-8 bytes. Other requests get their turn meanwhile.
 * @param enough counting stops above it, for callers who only ask whether there are more
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

/** What chat formats typically add to a message for its role; well below the 16 that a hold allows for it. */
export const ROLE_TOKENS = 4;

/** Estimates the tokens of messages of one text each; empty ones are not sent. */
export async function estimateMessages(texts: readonly string[]): Promise<number> {
  let tokens = 0;
  for (const text of texts) {
    if (text !== '') tokens += (await estimateTokens(text)) + ROLE_TOKENS;
  }
  return tokens;
}
