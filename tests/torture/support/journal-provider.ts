/**
 * A test double of an OpenAI-compatible provider that keeps a journal of its requests and answers and how each call
 * ended, for a comparison with the database and the clients' logs.
 */
import { tinyPng } from '../../support/scripted-answers.ts';
import { AUDIO_SECONDS, wordsOf } from './ways.ts';

export interface ReportedUsage {
  prompt: number;
  completion: number;
  /** Characters that were spoken, or seconds that were transcribed: then only they have a price. */
  units?: number;
}

/** One call, as the provider's own books have it. */
export interface ProviderCall {
  /** The last message, or the prompt of an image: every send of a campaign has different words. */
  message: string;
  kind: 'plain' | 'stream' | 'image' | 'embedding' | 'speech' | 'transcription';
  status: number;
  /** The answer, as far as it was sent; all of it if `ended` is `answered`. */
  text: string;
  /** Null: no usage was reported. */
  reported: ReportedUsage | null;
  nonsense?: unknown;
  ended: 'running' | 'answered' | 'dropped';
  /** When it ended, milliseconds of `performance.now()`; 0 while it runs. */
  endedAt: number;
}

/** The course of a call; by default without delay, in a few pieces, and with its own usage. */
export interface Plan {
  /** Before the first byte. */
  delayMs?: number;
  /** How many pieces a stream has, and the pause before each. */
  pieces?: number;
  pieceMs?: number;
  reported?: ReportedUsage | null;
  /** Reported instead, and not credible: the journal records that nothing was reported. */
  nonsense?: unknown;
  /** An error status instead of an answer. */
  status?: number;
}

export interface JournalProvider {
  baseUrl: string;
  /** In order of arrival. */
  calls: ProviderCall[];
  stop(): Promise<void>;
}

const PIECES = 4;

/** The answer to a message: a reader can tell that it is the right one. */
export function answerTo(message: string): string {
  return `answer to ${message}, word by word, as it was asked`;
}

/** Different for neighbouring messages, so that a charge for the wrong one shows. */
export function usageFor(message: string): ReportedUsage {
  const mixed = Bun.hash.crc32(message);
  return { prompt: 10 + (mixed % 7), completion: 20 + (mixed % 11) };
}

/** @param plan called once for each call */
export function startJournalProvider(plan: (message: string) => Plan = () => ({})) {
  const calls: ProviderCall[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { call, isChat } = await begin(request);
      calls.push(call);
      const planned = plan(call.message);
      const { delayMs = 0, reported = usageFor(call.message), status = 200 } = planned;
      request.signal.addEventListener('abort', () => end(call, 'dropped'));
      if (delayMs > 0) await Bun.sleep(delayMs);
      call.status = status;
      if (status !== 200) return refuse(call, status);
      call.reported = planned.nonsense === undefined ? reportedBy(call, reported) : null;
      call.nonsense = planned.nonsense;
      if (call.kind === 'stream') return stream(call, planned, isChat);
      end(call, 'answered');
      return answerWhole(call, isChat);
    },
  });
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  return { baseUrl, calls, stop: () => server.stop(true) } satisfies JournalProvider;
}

async function begin(request: Request): Promise<{ call: ProviderCall; isChat: boolean }> {
  const { pathname } = new URL(request.url);
  const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data');
  const body = (isForm ? Object.fromEntries(await request.formData()) : await request.json()) as {
    messages?: { content: string }[];
    prompt?: string | string[];
    input?: string | string[];
    stream?: boolean;
  };
  const { messages, prompt, input = '' } = body;
  const message = wordsOf(String(messages?.at(-1)?.content ?? prompt ?? input));
  const kind = kindOf(pathname, body.stream ?? false);
  const call: ProviderCall = {
    message,
    kind,
    status: 0,
    text: '',
    reported: null,
    ended: 'running',
    endedAt: 0,
  };
  return { call, isChat: messages !== undefined };
}

/** The kind of a call to a path. */
export function kindOf(path: string, isStream: boolean): ProviderCall['kind'] {
  if (path.includes('/images/')) return 'image';
  if (path.endsWith('/embeddings')) return 'embedding';
  if (path.endsWith('/audio/speech')) return 'speech';
  if (path.endsWith('/audio/transcriptions')) return 'transcription';
  return isStream ? 'stream' : 'plain';
}

/** The billed usage of a call of its kind. */
function reportedBy(
  { kind, message }: ProviderCall,
  reported: ReportedUsage | null,
): ReportedUsage | null {
  if (kind === 'speech') return { prompt: 0, completion: 0, units: Array.from(message).length };
  if (!reported) return null;
  if (kind === 'transcription') {
    return {
      prompt: 0,
      completion: 0,
      units: reported.units ?? 1 + (reported.prompt % AUDIO_SECONDS),
    };
  }
  return kind === 'embedding' ? { ...reported, completion: 0 } : reported;
}

function answerWhole(call: ProviderCall, isChat: boolean): Response {
  switch (call.kind) {
    case 'image':
      return Response.json(image(call));
    case 'embedding': {
      const data = [{ object: 'embedding', index: 0, embedding: [1, 2] }];
      return Response.json({ data, usage: usageOf(call) });
    }
    case 'speech':
      return new Response(answerTo(call.message), { headers: { 'content-type': 'audio/mpeg' } });
    case 'transcription': {
      call.text = answerTo(call.message);
      const usage = call.reported && { type: 'duration', seconds: call.reported.units };
      return Response.json({ text: call.text, usage: usage ?? call.nonsense });
    }
    default:
      call.text = answerTo(call.message);
      return Response.json(completion(call, isChat));
  }
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

function usageOf({ reported, nonsense }: ProviderCall): unknown {
  if (!reported) return nonsense;
  const { prompt, completion: said } = reported;
  return { prompt_tokens: prompt, completion_tokens: said, total_tokens: prompt + said };
}

function completion(call: ProviderCall, isChat: boolean): object {
  const { text } = call;
  const said = isChat ? { message: { role: 'assistant', content: text } } : { text };
  return {
    id: `journal-${call.message}`,
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: 'stop', ...said }],
    usage: usageOf(call),
  };
}

function image(call: ProviderCall): object {
  return { data: [{ b64_json: tinyPng.toString('base64') }], usage: usageOf(call) };
}

function stream(
  call: ProviderCall,
  { pieces = PIECES, pieceMs = 0 }: Plan,
  isChat: boolean,
): Response {
  const whole = answerTo(call.message);
  const size = Math.max(1, Math.ceil(whole.length / pieces));
  async function* events() {
    for (let at = 0; at < whole.length; at += size) {
      if (pieceMs > 0) await Bun.sleep(pieceMs);
      if (call.ended === 'dropped') return;
      const content = whole.slice(at, at + size);
      call.text += content;
      const piece = isChat ? { delta: { content } } : { text: content };
      yield event({ choices: [{ index: 0, ...piece, finish_reason: null }] });
    }
    const last = isChat ? { delta: {} } : { text: '' };
    yield event({ choices: [{ index: 0, ...last, finish_reason: 'stop' }] });
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
