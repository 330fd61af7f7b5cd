/** Every interface that sends to a model: the request, and where the answer has its parts. */
import { m4aOf } from '../../support/audio.ts';
import { tinyPng } from '../../support/scripted-answers.ts';
import type { ClientEntry } from './client-log.ts';

type Json = Record<string, unknown>;

/** The facts in an answer; an undefined text is not in it. */
export interface TextOfAnswer {
  text?: string | undefined;
  /** Rubles. */
  cost: unknown;
}

export interface Way {
  path: string;
  /** The modality of its models. */
  modality: Modality;
  /** Without the model. */
  body(line: ClientEntry): Json | FormData;
  /** Reads a whole answer in JSON. */
  read(answer: Json): TextOfAnswer;
  /** Reads one event of a stream. Absent: the interface has no streams of a provider. */
  readEvent?(event: Json): { text?: string | undefined; cost?: unknown; isEnd?: boolean };
}

export type Modality = 'text' | 'completion' | 'embedding' | 'image' | 'speech' | 'transcription';

/** Seconds of the file that is transcribed. */
export const AUDIO_SECONDS = 3;
const audio = new File([await m4aOf(AUDIO_SECONDS)], 'speech.m4a', { type: 'audio/mp4' });
const picture = new File([tinyPng], 'gate.png', { type: 'image/png' });

const said = (message: string) => [{ role: 'user', content: message }];
const costOf = (holder: unknown): unknown => (holder as { usage?: Json | null }).usage?.['cost'];

function formOf(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** The first of a list in an answer. */
function firstOf(answer: Json, list: string): Json {
  return ((answer[list] as Json[] | undefined) ?? [])[0] ?? {};
}

/** The interfaces under `/v1`, by name; `/ai/send/` is that of every other send of a campaign. */
export const ways = {
  chat: {
    path: '/v1/chat/completions',
    modality: 'text',
    body: ({ message, cap, stream }) => ({
      messages: said(message),
      max_tokens: cap,
      ...(stream && { stream, stream_options: { include_usage: true } }),
    }),
    read: (answer) => {
      const { content } = firstOf(answer, 'choices')['message'] as Json;
      return { text: String(content), cost: costOf(answer) };
    },
    readEvent: (event) => {
      const delta = firstOf(event, 'choices')['delta'] as Json | undefined;
      return { text: delta?.['content'] as string | undefined, cost: costOf(event) };
    },
  },
  completion: {
    path: '/v1/completions',
    modality: 'completion',
    body: ({ message, cap, stream }) => ({
      prompt: message,
      max_tokens: cap,
      ...(stream && { stream, stream_options: { include_usage: true } }),
    }),
    read: (answer) => ({
      text: String(firstOf(answer, 'choices')['text']),
      cost: costOf(answer),
    }),
    readEvent: (event) => ({
      text: firstOf(event, 'choices')['text'] as string | undefined,
      cost: costOf(event),
    }),
  },
  response: {
    path: '/v1/responses',
    modality: 'text',
    body: ({ message, cap, stream }) => ({ input: message, max_output_tokens: cap, stream }),
    read: (answer) => ({
      text: String(firstOf(firstOf(answer, 'output'), 'content')['text']),
      cost: costOf(answer),
    }),
    readEvent: ({ type, delta, response }) => ({
      text: type === 'response.output_text.delta' ? String(delta) : undefined,
      cost: type === 'response.completed' ? costOf(response) : undefined,
      isEnd: type === 'response.completed',
    }),
  },
  compaction: {
    path: '/v1/responses/compact',
    modality: 'text',
    body: ({ message }) => ({ input: message }),
    read: (answer) => {
      const packed = String(firstOf(answer, 'output')['encrypted_content']);
      const { summary } = JSON.parse(Buffer.from(packed, 'base64url').toString()) as Json;
      return { text: String(summary), cost: costOf(answer) };
    },
  },
  message: {
    path: '/v1/messages',
    modality: 'text',
    body: ({ message, cap, stream }) => ({ messages: said(message), max_tokens: cap, stream }),
    read: (answer) => ({
      text: String(firstOf(answer, 'content')['text']),
      cost: costOf(answer),
    }),
    readEvent: ({ type, delta, usage }) => ({
      text: (delta as Json | undefined)?.['text'] as string | undefined,
      cost: type === 'message_delta' ? (usage as Json)['cost'] : undefined,
      isEnd: type === 'message_stop',
    }),
  },
  embedding: {
    path: '/v1/embeddings',
    modality: 'embedding',
    body: ({ message }) => ({ input: message }),
    read: (answer) => ({ cost: costOf(answer) }),
  },
  image: {
    path: '/v1/images/generations',
    modality: 'image',
    body: ({ message }) => ({ prompt: message }),
    read: (answer) => ({ cost: costOf(answer) }),
  },
  edit: {
    path: '/v1/images/edits',
    modality: 'image',
    body: ({ message }) => formOf({ prompt: message, image: picture }),
    read: (answer) => ({ cost: costOf(answer) }),
  },
  speech: {
    path: '/v1/audio/speech',
    modality: 'speech',
    body: ({ message }) => ({ input: message, voice: 'alloy' }),
    // The charge is in a header.
    read: (answer) => ({ cost: answer['x-cost'] }),
  },
  transcription: {
    path: '/v1/audio/transcriptions',
    modality: 'transcription',
    body: ({ message, stream }) => {
      const fields = { prompt: message, file: audio };
      return formOf(stream ? { ...fields, stream: 'true' } : fields);
    },
    read: (answer) => ({ text: String(answer['text']), cost: costOf(answer) }),
    readEvent: (event) => ({
      text: event['delta'] as string | undefined,
      cost: costOf(event),
    }),
  },
} as const satisfies Readonly<Record<string, Way>>;

export type WayName = keyof typeof ways;
export const wayNames = Object.keys(ways) as readonly WayName[];

/** Interfaces whose streams are streams of the provider, too. */
export const streamingWays: readonly WayName[] = ['chat', 'completion', 'response', 'message'];

/** The words of the send in a request, as the provider or the history shows it. */
export function wordsOf(request: string): string {
  return request.replace(/^user: |\n\[(?:image|audio: \d+ s)\]$/g, '');
}
