/**
 * Token counts where no provider reports them, by the o200k vocabulary; always marked as estimates. They are counted on
 * a thread of their own: loading the vocabulary takes half a second, and a long text takes longer. The same thread turns
 * token numbers into texts.
 */
import { workerFile } from '../../lib/compiled.ts';

/** Byte-pair merging takes quadratic time on one long run, so text is counted in pieces of this length. */
export const PIECE_CHARS = 1_000;
/**
 * The most pieces of one request's texts that are counted: a piece of random letters takes some milliseconds, and a
 * body may have 32 MiB. Of longer texts, this many pieces are counted, spread evenly, and the count is scaled up.
 */
const PIECES_MAX = 1_000;

/** The part of a text that is counted. */
interface Sample {
  text: string;
  /** The length of the whole text, divided by that of the sample. */
  factor: number;
  /** UTF-8 bytes of the whole text, which has no more tokens than bytes. */
  bytes: number;
}

export interface CountWork {
  /** The user whose texts they are: counts of one user run one after the other. Absent: no user. */
  userId?: number | undefined;
  samples: readonly Sample[];
  enough: number;
}

/** Lists of token numbers of cl100k_base, which become texts. */
export interface DecodeWork {
  lists: readonly (readonly number[])[];
}

export type TokenRequest = { id: number } & (CountWork | DecodeWork);
export type TokenResult = number | string[];
export type TokenAnswer = { id: number; result: TokenResult } | { id: number; failure: string };

interface Waiting {
  resolve: (result: TokenResult) => void;
  reject: (error: Error) => void;
}

/** Started at the first request. It keeps the vocabularies, and does not keep the process running. */
let thread: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

function startThread(): Worker {
  const worker = new Worker(workerFile('chat/context/tokens-worker'));
  worker.unref();
  worker.addEventListener('message', ({ data }: MessageEvent<TokenAnswer>) => {
    const { resolve, reject } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if ('failure' in data) reject?.(new Error(`the thread of tokens failed: ${data.failure}`));
    else resolve?.(data.result);
  });
  worker.addEventListener('error', ({ message }) => {
    thread = undefined;
    for (const { reject } of waiting.values()) {
      reject(new Error(`the thread of tokens failed: ${message}`));
    }
    waiting.clear();
  });
  return worker;
}

/**
 * Estimates how many tokens the texts have together: never more than their UTF-8 bytes.
 * @param userId the user whose texts they are: users take turns
 * @param enough counting stops above it, for callers who only ask whether there are more
 */
export async function estimateTokens(
  texts: readonly string[],
  userId?: number,
  enough = Infinity,
): Promise<number> {
  if (texts.every((text) => text === '')) return 0;
  return (await inThread({ samples: samplesOf(texts), enough, userId })) as number;
}

/** The vocabulary of OpenAI's embedding models. Clients that send token numbers use it for other models too. */
export const EMBEDDING_VOCABULARY = 'cl100k_base';
/** The largest token number of that vocabulary, apart from its control tokens. */
export const EMBEDDING_TOKEN_MAX = 100_255;

/**
 * The texts that lists of token numbers stand for. If a list has only a part of a character, the character becomes
 * U+FFFD.
 * @param lists numbers from 0 to `EMBEDDING_TOKEN_MAX`
 */
export async function textsOfTokens(lists: readonly (readonly number[])[]): Promise<string[]> {
  return (await inThread({ lists })) as string[];
}

function inThread(work: CountWork | DecodeWork): Promise<TokenResult> {
  thread ??= startThread();
  const id = ++lastId;
  const { promise, resolve, reject } = Promise.withResolvers<TokenResult>();
  waiting.set(id, { resolve, reject });
  const request: TokenRequest = { id, ...work };
  thread.postMessage(request, []);
  return promise;
}

function samplesOf(texts: readonly string[]): Sample[] {
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  const step = chars / PIECE_CHARS / PIECES_MAX;
  return texts.map((text) => sampleOf(text, step));
}

/** @param step one of this many pieces is counted */
function sampleOf(text: string, step: number): Sample {
  const bytes = Buffer.byteLength(text);
  if (step <= 1 || text.length <= PIECE_CHARS) return { text, factor: 1, bytes };
  const count = Math.max(1, Math.floor(text.length / PIECE_CHARS / step));
  const pieces = Array.from({ length: count }, (_, at) => {
    const start = Math.floor(at * step) * PIECE_CHARS;
    return text.slice(start, start + PIECE_CHARS);
  });
  const sample = pieces.join('');
  return { text: sample, factor: text.length / sample.length, bytes };
}

/**
 * Tokens that chat formats typically add to a message for its role; far fewer than the 16 that a hold allows for it.
 */
export const ROLE_TOKENS = 4;

/** Estimates the tokens of messages of one text each; empty ones are not sent. */
export async function estimateMessages(texts: readonly string[], userId: number): Promise<number> {
  const sent = texts.filter((text) => text !== '');
  return (await estimateTokens(sent, userId)) + sent.length * ROLE_TOKENS;
}
