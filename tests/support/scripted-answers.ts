/** The good answers of a scripted provider: it echoes the message, with computed usage. See scripted-provider.ts. */
import type { RecordedCall } from './scripted-provider.ts';
import type { GoodAnswer } from './scripted-faults.ts';

/** How a good answer differs from the default; everything is optional. */
export interface AnswerScript {
  text?: string;
  /** The value on the wire; null omits it. Impossible values are allowed too. */
  usage?: Record<string, unknown> | null;
  /** Sent with every delta of a stream, as some servers do. */
  usageSoFar?: Record<string, unknown>;
  /** Usage that a stream reports in a separate event before its first word. */
  usageFirst?: Record<string, unknown>;
  finishReason?: string;
  /** Function calls. A stream sends the arguments of each in two pieces, alternating between calls. */
  toolCalls?: { id: string; name: string; arguments: string }[];
  id?: string;
  /** By default the model of the request. */
  answeringModel?: string;
  /** Text in each delta of a stream; by default a word. */
  deltas?: string[];
  /** Reasoning in each event that a stream sends before its first word. */
  reasoning?: string[];
  /** A stream sends its first event (and before that the usage of `usageFirst`), then waits for `release()`. */
  pauseAfterFirst?: boolean;
  /**
   * A stream breaks off after this share (0 to below 1) of its bytes before the finish: `cut` resets the connection,
   * `end` closes it cleanly.
   */
  breakAfter?: { part: number; how: 'cut' | 'end' };
  /** An image is sent as its address instead of its bytes. */
  imageUrl?: string;
  /** A status other than 200, with `body` and `headers`. */
  status?: number;
  /** The whole body, instead of the usual one. */
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
  return otherAnswer(call, script) ?? chatAnswer(call, script);
}

function otherAnswer(call: RecordedCall, script: AnswerScript): GoodAnswer | undefined {
  const { path } = call;
  if (path.endsWith('/audio/transcriptions')) return { body: transcriptBody(call, script) };
  if (/\/images\/(?:generations|edits)$/.test(path)) return { body: imageBody(call, script) };
  if (path.endsWith('/audio/speech'))
    return { body: { audio: `spoken: ${String(call.body['input'])}` } };
  if (path.endsWith('/embeddings')) return { body: embeddingBody(call, script) };
  return path.endsWith('/v1/completions') ? completionOf(call, script) : undefined;
}

function chatAnswer(call: RecordedCall, script: AnswerScript): GoodAnswer {
  const spoken = script.toolCalls ? '' : `echo: ${lastMessage(call)}`;
  const text = script.text ?? script.deltas?.join('') ?? spoken;
  const usage = usageOf(
    script,
    tokensOf(JSON.stringify(call.body['messages'])),
    answersTo(call) * tokensOf(text),
  );
  const base = {
    id: script.id ?? `chatcmpl-${crypto.randomUUID()}`,
    created: CREATED,
    model: script.answeringModel ?? call.body['model'],
  };
  const finishReason = script.finishReason ?? (script.toolCalls ? 'tool_calls' : 'stop');
  if (call.body['stream'] !== true) {
    const calls = script.toolCalls?.map(wholeCall);
    return { body: completionBody(base, { text, calls }, finishReason, usage, call.body) };
  }
  const words = script.deltas ?? (text === '' ? [] : text.split(/(?<= )/));
  const reasoning = (script.reasoning ?? []).map((part) => ({ reasoning_content: part }));
  const said = [...reasoning, ...words.map((content) => ({ content }))];
  const deltas = [...said, ...callDeltas(script.toolCalls ?? [])];
  const counted = script.usageSoFar ? { ...base, usage: script.usageSoFar } : base;
  const first = script.usageFirst && [{ ...base, choices: [], usage: script.usageFirst }];
  return { events: [...(first ?? []), ...chunks(counted, deltas, finishReason, usage)] };
}

/** An answer of `/completions`: each prompt again, with its gap filled. */
function completionOf(call: RecordedCall, script: AnswerScript): GoodAnswer {
  const { prompt, suffix, n, stream, model } = call.body;
  const prompts = [prompt].flat().map(String);
  const texts = prompts.flatMap((one) =>
    Array.from(
      { length: Number(n ?? 1) },
      () => script.text ?? `filled: ${one}|${typeof suffix === 'string' ? suffix : ''}`,
    ),
  );
  const usage = usageOf(script, tokensOf(prompts.join('')), tokensOf(texts.join('')));
  const base = {
    id: `cmpl-${crypto.randomUUID()}`,
    object: 'text_completion',
    created: CREATED,
    model,
  };
  const choice = (text: string, index: number, finish: string | null) => ({
    text,
    index,
    logprobs: call.body['logprobs'] === undefined ? null : { tokens: [text] },
    finish_reason: finish,
  });
  if (stream !== true) {
    return { body: { ...base, choices: texts.map((text, at) => choice(text, at, 'stop')), usage } };
  }
  const words = (texts[0] ?? '').split(/(?<= )/);
  const events = words.map((text) => ({ ...base, choices: [choice(text, 0, null)] }));
  return {
    events: [
      ...events,
      { ...base, choices: [choice('', 0, 'stop')] },
      { ...base, choices: [], usage },
    ],
  };
}

function answersTo({ body }: RecordedCall): number {
  return Number(body['n'] ?? 1);
}

/** The user's message that the call answers. */
function lastMessage(call: RecordedCall): string {
  const messages: unknown = call.body['messages'];
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (typeof last !== 'object' || last === null || !('content' in last)) return '';
  return String(last.content);
}

type Usage = Record<string, unknown> | undefined;

type ScriptedCall = NonNullable<AnswerScript['toolCalls']>[number];

function wholeCall({ id, name, arguments: args }: ScriptedCall): object {
  return { id, type: 'function', function: { name, arguments: args } };
}

/** Only the first piece of a call names it. */
function callDeltas(calls: readonly ScriptedCall[]): object[] {
  const pieces = calls.map(({ id, name, arguments: args }, index) => {
    const half = Math.ceil(args.length / 2);
    const first = { index, id, type: 'function', function: { name, arguments: '' } };
    const more = [args.slice(0, half), args.slice(half)].map((piece) => ({
      index,
      function: { arguments: piece },
    }));
    return [first, ...more];
  });
  return [0, 1, 2].flatMap((turn) => pieces.map((of) => ({ tool_calls: [of[turn]] })));
}

function completionBody(
  base: object,
  { text, calls }: { text: string; calls: object[] | undefined },
  finishReason: string,
  usage: Usage,
  { n: answers = 1, logprobs: reported }: { n?: number; logprobs?: boolean },
) {
  const content = text === '' && calls ? null : text;
  const message = { role: 'assistant', content, refusal: null, tool_calls: calls };
  const choice = { message, finish_reason: finishReason };
  const choices = Array.from({ length: answers }, (_, index) => {
    const logprobs = reported && { content: [{ token: text, logprob: -0.5, top_logprobs: [] }] };
    const numbered = index === 0 ? message : { ...message, content: `${content} (${index})` };
    return { ...choice, index, message: numbered, ...(logprobs && { logprobs }) };
  });
  return { ...base, object: 'chat.completion', choices, usage };
}

function chunks(base: object, deltas: object[], finishReason: string, usage: Usage): unknown[] {
  const chunk = (delta: object, finish: string | null): unknown => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const events = deltas.map((delta, i) =>
    chunk(i === 0 ? { role: 'assistant', ...delta } : delta, null),
  );
  const end = { ...base, object: 'chat.completion.chunk', choices: [], usage };
  return [...events, chunk({}, finishReason), ...(usage ? [end] : [])];
}

function imageBody(call: RecordedCall, script: AnswerScript): Record<string, unknown> {
  const image = script.imageUrl
    ? { url: script.imageUrl }
    : { b64_json: tinyPng.toString('base64') };
  const prompt = tokensOf(String(call.body['prompt']));
  const reported = { input_tokens: prompt, output_tokens: 1, total_tokens: prompt + 1 };
  const usage = script.usage === null ? undefined : (script.usage ?? reported);
  return { created: CREATED, data: [image], usage };
}

/** The text of a transcript, unless a script sets it. */
export const transcribed = 'Good evening. The gate is open.';

/** Billed by the second; 7 seconds by default. */
function transcriptBody(call: RecordedCall, script: AnswerScript): Record<string, unknown> {
  const text = script.text ?? transcribed;
  const reported = { type: 'duration', seconds: 7 };
  const usage = script.usage === null ? undefined : (script.usage ?? reported);
  if (call.body['response_format'] !== 'verbose_json') return { text, usage };
  const segments = [
    { id: 0, start: 0, end: 1.5, text: ' Good evening.' },
    { id: 1, start: 1.5, end: 6.25, text: ' The gate is open.' },
  ];
  return { task: 'transcribe', language: 'english', duration: 6.25, text, segments, usage };
}

/** The first number of each vector is the length of its text, so that the order is visible. */
function embeddingBody(call: RecordedCall, script: AnswerScript): Record<string, unknown> {
  const { input, model } = call.body;
  const texts = Array.isArray(input) ? input.map(String) : [String(input)];
  const length = Number(call.body['dimensions'] ?? 3);
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: Array.from({ length }, (_, i) => (i === 0 ? text.length : 0.5)),
  }));
  const prompt = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  const reported = { prompt_tokens: prompt, total_tokens: prompt };
  const usage = script.usage === null ? undefined : (script.usage ?? reported);
  return { object: 'list', data, model, usage };
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
