/**
 * A test double of an OpenAI-compatible provider that bills every token that it makes, and makes more of them than a
 * client sees: hidden reasoning, an output without an end, words in minor fields of a request. It keeps its own bill.
 */
import type { ReportedUsage } from '../support/journal-provider.ts';

export const cases = [
  'hidden',
  'summed up',
  'shown',
  'late',
  'endless',
  'endless plain',
  'beside',
  'lying',
  'broken',
] as const;
export type Case = (typeof cases)[number];

/** One token of the vocabulary that the product estimates with. */
export const WORD = ' word';
/** Words of a piece of an endless answer, and of a whole answer. */
export const PIECE_WORDS = 50;
const ENDLESS_PIECES = 20_000;
const PLAIN_WORDS = 5_000;
const ANSWER_PIECES = 8;
const WORDS_A_PIECE = 5;
const REASONING_PIECES = 4;
const PIECE_MS = 8;

export interface GreedyCall {
  message: string;
  case: Case;
  /** Tokens that were sent so far. */
  words: number;
  reasoning: number;
  /** The bill if the answer runs to its end. */
  bill: ReportedUsage;
  ended: 'running' | 'answered' | 'dropped';
}

/** `hidden 17`: the case is in the words of the message. */
export function caseOf(message: string): Case {
  const words = message.replace(/ \d+$/, '');
  const found = cases.find((one) => one === words);
  if (!found) throw new Error(`no case: ${message}`);
  return found;
}

export function startGreedyProvider() {
  const calls: GreedyCall[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = (await request.json()) as ChatBody;
      const call = callFor(body);
      calls.push(call);
      request.signal.addEventListener('abort', () => end(call, 'dropped'));
      if (body.stream) return streamOf(call);
      end(call, 'answered');
      const text = call.case === 'endless plain' ? WORD.repeat(PLAIN_WORDS) : 'well';
      const message = { role: 'assistant', content: text };
      const choices = [{ index: 0, finish_reason: 'stop', message }];
      return Response.json({ id: call.message, choices, usage: usageOf(call.bill) });
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    calls,
    stop: () => server.stop(true),
  };
}

interface ChatBody {
  messages: {
    content: string | null;
    tool_call_id?: string;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  }[];
  stop?: string[];
  user?: string;
  max_tokens: number;
  stream?: boolean;
}

function callFor(body: ChatBody): GreedyCall {
  const message = body.messages.at(-1)?.content ?? '';
  const of = caseOf(message);
  const bill = billFor(of, body, Bun.hash.crc32(message));
  return { message, case: of, words: 0, reasoning: 0, bill, ended: 'running' };
}

/** @param chance makes the random choices, by the message */
function billFor(of: Case, body: ChatBody, chance: number): ReportedUsage {
  const cap = body.max_tokens;
  const shown = ANSWER_PIECES * WORDS_A_PIECE;
  switch (of) {
    case 'hidden':
    case 'summed up':
    case 'broken':
      return { prompt: 20, completion: shown + (chance % (cap - shown)) };
    case 'shown':
      return { prompt: 20, completion: shown + REASONING_PIECES * WORDS_A_PIECE };
    case 'lying':
      return { prompt: 10 + (chance % 3_000), completion: chance % (10 * cap) };
    case 'endless plain':
      return { prompt: 10, completion: PLAIN_WORDS };
    case 'beside':
      return { prompt: bytesOf(body), completion: 1 };
    case 'late':
    case 'endless':
      return { prompt: 10, completion: 0 };
  }
}

/** The most expensive count: a token for each byte of the request. */
function bytesOf({ messages, stop = [], user = '' }: ChatBody): number {
  const texts = messages.flatMap(({ content, tool_call_id: id = '', tool_calls: made = [] }) => [
    content ?? '',
    id,
    ...made.flatMap((call) => [call.id, call.function.name, call.function.arguments]),
  ]);
  return Buffer.byteLength([...texts, ...stop, user].join(''));
}

function usageOf({ prompt, completion }: ReportedUsage) {
  return { prompt_tokens: prompt, completion_tokens: completion };
}

function end(call: GreedyCall, how: 'answered' | 'dropped'): void {
  if (call.ended === 'running') call.ended = how;
}

function streamOf(call: GreedyCall): Response {
  const source = eventsOf(call);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (value) controller.enqueue(value);
      else if (done) controller.close();
    },
    cancel: () => end(call, 'dropped'),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function reasoningPiecesOf(of: Case): number {
  if (of === 'summed up') return 1;
  return of === 'shown' ? REASONING_PIECES : 0;
}

async function* eventsOf(call: GreedyCall): AsyncGenerator<Uint8Array, undefined> {
  const isEndless = call.case === 'endless';
  const reasoningPieces = reasoningPiecesOf(call.case);
  const pieces = isEndless ? ENDLESS_PIECES : reasoningPieces + ANSWER_PIECES;
  const words = isEndless ? PIECE_WORDS : WORDS_A_PIECE;
  for (let piece = 0; piece < pieces; piece++) {
    await Bun.sleep(isEndless ? 0 : PIECE_MS);
    if (call.ended !== 'running') return;
    const isReasoning = piece < reasoningPieces;
    if (isReasoning) call.reasoning += words;
    else call.words += words;
    const delta = { [isReasoning ? 'reasoning_content' : 'content']: WORD.repeat(words) };
    yield event({ choices: [{ index: 0, delta, finish_reason: null }] });
    // Without its finish, the stream is broken.
    if (call.case === 'broken' && piece === pieces / 2) return;
  }
  // It never ends by itself.
  while (call.case === 'late' && call.ended === 'running') await Bun.sleep(PIECE_MS);
  if (call.ended !== 'running') return;
  yield event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  yield event({ choices: [], usage: usageOf(call.bill) });
  end(call, 'answered');
  yield Buffer.from('data: [DONE]\n\n');
}

function event(data: object): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify({ id: 'greedy', ...data })}\n\n`);
}
