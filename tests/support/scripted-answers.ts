/** The good answers of a scripted provider: an echo, its usage computed. See scripted-provider.ts. */
import type { RecordedCall } from './scripted-provider.ts';
import type { GoodAnswer } from './scripted-faults.ts';

/** How a good answer differs from the default one; everything is optional. */
export interface AnswerScript {
  text?: string;
  /** As told on the wire; null leaves it out. Anything can be told, also what cannot be true. */
  usage?: Record<string, unknown> | null;
  finishReason?: string;
  id?: string;
  /** Text of each delta of a stream; by default the text word by word. */
  deltas?: string[];
  /** A stream sends its first event, then waits for `release()`. */
  pauseAfterFirst?: boolean;
  /** An image is told by its address instead of its bytes. */
  imageUrl?: string;
  /** Another status than 200, with `body` and `headers`. */
  status?: number;
  /** The whole body, in place of the built one. */
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** One opaque red pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

const CREATED = 1_750_000_000;

export function goodAnswer(call: RecordedCall, script: AnswerScript = {}): GoodAnswer {
  if (call.path.endsWith('/images/generations')) return { body: imageBody(call, script) };
  const text = script.text ?? script.deltas?.join('') ?? `echo: ${lastMessage(call)}`;
  const usage = usageOf(script, tokensOf(JSON.stringify(call.body['messages'])), tokensOf(text));
  const base = {
    id: script.id ?? `chatcmpl-${crypto.randomUUID()}`,
    created: CREATED,
    model: call.body['model'],
  };
  const finishReason = script.finishReason ?? 'stop';
  if (call.body['stream'] !== true)
    return { body: completionBody(base, text, finishReason, usage) };
  return { events: chunks(base, script.deltas ?? text.split(/(?<= )/), finishReason, usage) };
}

/** The user's message that the call asks about. */
function lastMessage(call: RecordedCall): string {
  const messages: unknown = call.body['messages'];
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (typeof last !== 'object' || last === null || !('content' in last)) return '';
  return String(last.content);
}

type Usage = Record<string, unknown> | undefined;

function completionBody(base: object, text: string, finishReason: string, usage: Usage) {
  const message = { role: 'assistant', content: text, refusal: null };
  const choices = [{ index: 0, message, finish_reason: finishReason }];
  return { ...base, object: 'chat.completion', choices, usage };
}

function chunks(base: object, deltas: string[], finishReason: string, usage: Usage): unknown[] {
  const chunk = (delta: object, finish: string | null): unknown => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const events = deltas.map((content, i) =>
    chunk(i === 0 ? { role: 'assistant', content } : { content }, null),
  );
  const end = { ...base, object: 'chat.completion.chunk', choices: [], usage };
  return [...events, chunk({}, finishReason), ...(usage ? [end] : [])];
}

function imageBody(call: RecordedCall, script: AnswerScript): Record<string, unknown> {
  const image = script.imageUrl
    ? { url: script.imageUrl }
    : { b64_json: tinyPng.toString('base64') };
  const prompt = tokensOf(String(call.body['prompt']));
  const told = { input_tokens: prompt, output_tokens: 1, total_tokens: prompt + 1 };
  const usage = script.usage === null ? undefined : (script.usage ?? told);
  return { created: CREATED, data: [image], usage };
}

function usageOf(script: AnswerScript, prompt: number, completion: number): Usage {
  if (script.usage === null) return undefined;
  const total = prompt + completion;
  const computed = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total };
  return script.usage ?? computed;
}

function tokensOf(text: string | undefined): number {
  return Math.ceil(Buffer.byteLength(text ?? '') / 4);
}
