/**
 * A test double of an OpenAI-compatible provider that keeps a journal of what it was asked, what it told
 * and how each call ended, so that it can be compared with the database and with what clients saw.
 */
import { tinyPng } from '../../support/scripted-answers.ts';

export interface Told {
  prompt: number;
  completion: number;
}

/** One call, as the provider's own books have it. */
export interface ProviderCall {
  /** The last message, or the prompt of an image: every send of a campaign has words of its own. */
  message: string;
  kind: 'plain' | 'stream' | 'image';
  status: number;
  /** The answer, as far as it was sent; the whole of it when `ended` is `answered`. */
  text: string;
  /** Null: usage was not told. */
  told: Told | null;
  nonsense?: unknown;
  ended: 'running' | 'answered' | 'dropped';
  /** When it ended, milliseconds of `performance.now()`; 0 while it runs. */
  endedAt: number;
}

/** How one call goes; what is left out has no delay, a few pieces, and a usage of its own. */
export interface Plan {
  /** Before the first byte. */
  delayMs?: number;
  /** Of a stream: how many pieces, and the pause before each. */
  pieces?: number;
  pieceMs?: number;
  told?: Told | null;
  /** Told instead, and not to be believed: the journal has it as nothing told. */
  nonsense?: unknown;
  /** An error status instead of an answer. */
  status?: number;
}

export interface JournalProvider {
  baseUrl: string;
  /** In the order in which they came. */
  calls: ProviderCall[];
  stop(): Promise<void>;
}

const PIECES = 4;

/** The answer that belongs to a message: whoever holds it can tell that it is the right one. */
export function answerTo(message: string): string {
  return `answer to ${message}, word by word, as it was asked`;
}

/** Different for neighbouring messages, so that a charge for the wrong one shows. */
export function usageFor(message: string): Told {
  const mixed = Bun.hash.crc32(message);
  return { prompt: 10 + (mixed % 7), completion: 20 + (mixed % 11) };
}

/** @param plan called once a call */
export function startJournalProvider(plan: (message: string) => Plan = () => ({})) {
  const calls: ProviderCall[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const call = await begin(request);
      calls.push(call);
      const planned = plan(call.message);
      const { delayMs = 0, told = usageFor(call.message), status = 200 } = planned;
      request.signal.addEventListener('abort', () => end(call, 'dropped'));
      if (delayMs > 0) await Bun.sleep(delayMs);
      call.status = status;
      if (status !== 200) return refuse(call, status);
      call.told = planned.nonsense === undefined ? told : null;
      call.nonsense = planned.nonsense;
      if (call.kind === 'stream') return stream(call, planned);
      end(call, 'answered');
      if (call.kind === 'plain') call.text = answerTo(call.message);
      return Response.json(call.kind === 'plain' ? completion(call) : image(call));
    },
  });
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  return { baseUrl, calls, stop: () => server.stop(true) } satisfies JournalProvider;
}

async function begin(request: Request): Promise<ProviderCall> {
  const body = (await request.json()) as {
    messages?: { content: string }[];
    prompt?: string;
    stream?: boolean;
  };
  const kind = body.messages === undefined ? 'image' : body.stream ? 'stream' : 'plain';
  const message = body.messages?.at(-1)?.content ?? body.prompt ?? '';
  return { message, kind, status: 0, text: '', told: null, ended: 'running', endedAt: 0 };
}

function end(call: ProviderCall, how: 'answered' | 'dropped'): void {
  if (call.ended !== 'running') return;
  call.ended = how;
  call.endedAt = performance.now();
}

function refuse(call: ProviderCall, status: number): Response {
  end(call, 'answered');
  return Response.json({ error: { message: 'scripted refusal' } }, { status });
}

function usageOf({ told, nonsense }: ProviderCall): unknown {
  if (!told) return nonsense;
  const { prompt, completion: said } = told;
  return { prompt_tokens: prompt, completion_tokens: said, total_tokens: prompt + said };
}

function completion(call: ProviderCall): object {
  const message = { role: 'assistant', content: call.text };
  return {
    id: `journal-${call.message}`,
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: 'stop', message }],
    usage: usageOf(call),
  };
}

function image(call: ProviderCall): object {
  return { data: [{ b64_json: tinyPng.toString('base64') }], usage: usageOf(call) };
}

function stream(call: ProviderCall, { pieces = PIECES, pieceMs = 0 }: Plan): Response {
  const whole = answerTo(call.message);
  const size = Math.max(1, Math.ceil(whole.length / pieces));
  async function* events() {
    for (let at = 0; at < whole.length; at += size) {
      if (pieceMs > 0) await Bun.sleep(pieceMs);
      if (call.ended === 'dropped') return;
      const content = whole.slice(at, at + size);
      call.text += content;
      yield event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
    }
    yield event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    const usage = usageOf(call);
    if (usage !== undefined) yield event({ choices: [], usage });
    end(call, 'answered');
    yield Buffer.from('data: [DONE]\n\n');
  }
  const source = events();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => end(call, 'dropped'),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function event(data: object): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
}
