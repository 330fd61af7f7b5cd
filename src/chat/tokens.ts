/**
 * Token counts where no provider tells them, by the o200k vocabulary; always marked as estimates.
 * The vocabulary is large, so it is loaded on first use, not at start.
 */

/** A byte-pair merge takes quadratic time on one long run, so text is counted in pieces of this length. */
const PIECE_CHARS = 2_000;

let loading: Promise<(text: string) => number> | undefined;

async function loadCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text such as "<|endoftext|>" is what a user typed, not a control token.
  return (text) => countTokens(text, { disallowedSpecial: new Set() });
}

/** An estimate of how many tokens `text` is. Never more than its UTF-8 bytes. */
export async function estimateTokens(text: string): Promise<number> {
  if (text === '') return 0;
  loading ??= loadCounter();
  const count = await loading;
  let tokens = 0;
  for (let start = 0; start < text.length; start += PIECE_CHARS) {
    tokens += count(text.slice(start, start + PIECE_CHARS));
  }
  return tokens;
}
