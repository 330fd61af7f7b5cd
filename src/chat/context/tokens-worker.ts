/** The thread that counts tokens, by the o200k vocabulary. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { messageOf } from '../../lib/errors.ts';
import { PIECE_CHARS, type CountAnswer, type CountRequest } from './tokens.ts';

declare const self: Worker;

/** After so many milliseconds of counting, other requests get their turn. */
const SLICE_MS = 5;
/** Text such as "<|endoftext|>" is what a user typed, not a control token. */
const options = { disallowedSpecial: new Set<string>() };

self.addEventListener('message', ({ data }: MessageEvent<CountRequest>) => {
  void answer(data).then((message) => self.postMessage(message, []));
});

async function answer({ id, samples, enough }: CountRequest): Promise<CountAnswer> {
  try {
    let tokens = 0;
    for (const { text, factor, bytes } of samples) {
      if (tokens > enough) break;
      const counted = await count(text, (enough - tokens) / factor);
      tokens += Math.min(bytes, Math.round(counted * factor));
    }
    return { id, tokens };
  } catch (error) {
    return { id, failure: messageOf(error) };
  }
}

/** @param enough counting stops above it */
async function count(text: string, enough: number): Promise<number> {
  let [tokens, since] = [0, performance.now()];
  for (let start = 0; start < text.length && tokens <= enough; start += PIECE_CHARS) {
    tokens += countTokens(text.slice(start, start + PIECE_CHARS), options);
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise((resume) => setImmediate(resume));
    since = performance.now();
  }
  return tokens;
}
