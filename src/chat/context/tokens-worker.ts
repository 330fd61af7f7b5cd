/** The thread that counts tokens. */
import { messageOf } from '../../lib/errors.ts';
import { countTokensOf } from './count-tokens.ts';
import type { CountAnswer, CountRequest } from './tokens.ts';

declare const self: Worker;

self.addEventListener('message', ({ data }: MessageEvent<CountRequest>) => {
  void answer(data).then((message) => self.postMessage(message, []));
});

async function answer({ id, texts, enough }: CountRequest): Promise<CountAnswer> {
  try {
    let tokens = 0;
    for (const text of texts) {
      if (tokens <= enough) tokens += await countTokensOf(text, enough - tokens);
    }
    return { id, tokens };
  } catch (error) {
    return { id, failure: messageOf(error) };
  }
}
