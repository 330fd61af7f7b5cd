/** The thread that counts tokens, by the o200k vocabulary, and turns token numbers into texts. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { messageOf } from '../../lib/errors.ts';
import { yieldCores } from '../../lib/yield-cores.ts';
import {
  PIECE_CHARS,
  type CountWork,
  type DecodeWork,
  type TokenAnswer,
  type TokenRequest,
} from './tokens.ts';

declare const self: Worker;

yieldCores();

/** After this many milliseconds of counting, other users get their turn. */
const SLICE_MS = 5;
/** Text such as "<|endoftext|>" is what a user typed, not a control token. */
const options = { disallowedSpecial: new Set<string>() };

/**
 * The last count of each user who has counts. The user's next count begins after it, so that many counts of one user
 * are one turn.
 */
const lastOf = new Map<number, Promise<void>>();

self.addEventListener('message', ({ data }: MessageEvent<TokenRequest>) => {
  const userId = 'lists' in data ? undefined : data.userId;
  if (userId === undefined) void run(data);
  else void runInTurn(userId, data);
});

async function runInTurn(userId: number, request: TokenRequest): Promise<void> {
  const before = lastOf.get(userId);
  const done = before ? before.then(() => run(request)) : run(request);
  lastOf.set(userId, done);
  await done;
  if (lastOf.get(userId) === done) lastOf.delete(userId);
}

async function run(request: TokenRequest): Promise<void> {
  self.postMessage(await answer(request), []);
}

async function answer(request: TokenRequest): Promise<TokenAnswer> {
  const { id } = request;
  try {
    return { id, result: await ('lists' in request ? decodeAll(request) : countAll(request)) };
  } catch (error) {
    return { id, failure: messageOf(error) };
  }
}

async function countAll({ samples, enough }: CountWork): Promise<number> {
  let tokens = 0;
  const slice = { since: performance.now() };
  for (const { text, factor, bytes } of samples) {
    if (tokens > enough) break;
    const counted = await count(text, (enough - tokens) / factor, slice);
    tokens += Math.min(bytes, Math.round(counted * factor));
  }
  return tokens;
}

/** @param enough counting stops above this number @param slice when the turn began */
async function count(text: string, enough: number, slice: { since: number }): Promise<number> {
  let tokens = 0;
  for (let start = 0; start < text.length && tokens <= enough; start += PIECE_CHARS) {
    tokens += countTokens(text.slice(start, start + PIECE_CHARS), options);
    if (performance.now() - slice.since < SLICE_MS) continue;
    await new Promise((resume) => setImmediate(resume));
    slice.since = performance.now();
  }
  return tokens;
}

/**
 * The package's own `decode` keeps half a character at the end of one list for the beginning of the next, which may be
 * another user's.
 */
async function decodeAll({ lists }: DecodeWork): Promise<string[]> {
  // Loaded with the first list: few clients send token numbers.
  const { default: ranks } = await import('gpt-tokenizer/bpeRanks/cl100k_base');
  return lists.map((tokens) =>
    Buffer.concat(tokens.map((token) => bytesOf(ranks[token]))).toString('utf8'),
  );
}

function bytesOf(piece: string | readonly number[] | undefined): Uint8Array {
  if (piece === undefined) throw new Error('a number is not a token');
  return typeof piece === 'string' ? Buffer.from(piece) : Uint8Array.from(piece);
}
