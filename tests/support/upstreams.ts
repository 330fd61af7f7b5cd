/**
 * A gateway with the three compatible interfaces, in front of scripted servers of several dialects.
 *
 *   const at = upstreams();
 *   at().script(() => ({ status: 400, body: '{"error": …}' }));
 *   const { status, body } = await at().post('messages', 'claude', { messages });
 *   at().received.at(-1);   // what the model's provider was sent
 */
import { afterAll, beforeAll, beforeEach } from 'bun:test';
import { dialects } from './databases.ts';
import type { Dialect } from '../../src/db/index.ts';
import {
  WireServer,
  type Answer,
  type Reply,
  type WireCall,
} from '../providers/conformance/wire-server.ts';
import { openWorld, type Chatter, type ModelLine, type World } from './world.ts';

export { dialects };

export const fronts = {
  chat: { path: '/v1/chat/completions', body: {} },
  responses: { path: '/v1/responses', body: {} },
  messages: { path: '/v1/messages', body: { max_tokens: 500 } },
} as const;
export type Front = keyof typeof fronts;
export const frontNames = Object.keys(fronts) as Front[];

/** The models' aliases, by the kind of their providers. */
export const aliases = {
  openai: 'gpt-5-mini',
  anthropic: 'claude',
  gemini: 'gemini-3-flash',
  ollama: 'llama',
} as const;
export type Upstream = keyof typeof aliases;
export const upstreamNames = Object.keys(aliases) as Upstream[];

type Json = Record<string, unknown>;

export interface Answered {
  status: number;
  headers: Headers;
  body: Json;
  /** The response body; the events of a stream. */
  text: string;
}

export interface Upstreams {
  world: World;
  user: Chatter;
  wire: WireServer;
  /** The bodies of the requests to the servers, oldest first. */
  received: Json[];
  /** Sets the answer to all calls from now on. Undefined: a good answer of the dialect. */
  script(answer: ((call: WireCall, body: Json) => Reply | undefined) | undefined): void;
  post(
    front: Front,
    upstream: Upstream | { model: string },
    change: Json,
    headers?: Record<string, string>,
  ): Promise<Answered>;
}

/** A good answer in the dialect of the path. */
export function goodReply({ path }: WireCall, { stream }: Json): Reply {
  if (path.endsWith('/messages'))
    return stream === true ? { body: anthropicStream } : { body: JSON.stringify(anthropicAnswer) };
  if (path.includes(':stream')) return { body: events([geminiAnswer]) };
  if (path.includes(':generateContent')) return { body: JSON.stringify(geminiAnswer) };
  const choice = { index: 0, finish_reason: 'stop' };
  const message = { role: 'assistant', content: 'Hello' };
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
  const answer = { id: 'c-1', model: 'm', usage };
  return stream === true
    ? {
        body: `${events([{ ...answer, choices: [{ ...choice, delta: message }] }])}data: [DONE]\n\n`,
      }
    : { body: JSON.stringify({ ...answer, choices: [{ ...choice, message }] }) };
}

export function events(all: readonly object[]): string {
  return all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
}

const anthropicAnswer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  stop_reason: 'end_turn',
  content: [{ type: 'text', text: 'Hello' }],
  usage: { input_tokens: 5, output_tokens: 2 },
};
const anthropicStream = events([
  { type: 'message_start', message: { ...anthropicAnswer, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
]);
const geminiAnswer = {
  responseId: 'g-1',
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
};

/** One gateway and one server for all tests of a `describe`. */
export function upstreams(
  dialect: Dialect = 'sqlite',
  more: readonly ModelLine[] = [],
): () => Upstreams {
  let opened: Upstreams | undefined;
  beforeAll(async () => {
    opened = await open(dialect, more);
  });
  beforeEach(() => {
    opened?.received.splice(0);
    opened?.script(undefined);
  });
  afterAll(async () => {
    await opened?.world[Symbol.asyncDispose]();
    await opened?.wire[Symbol.asyncDispose]();
  });
  return () => {
    if (!opened) throw new Error('the servers run only while tests run');
    return opened;
  };
}

async function open(dialect: Dialect, more: readonly ModelLine[]): Promise<Upstreams> {
  const wire = await WireServer.start();
  const at = `http://127.0.0.1:${wire.port}`;
  const world = await openWorld(dialect, {
    providers: () => ({
      openai: { kind: 'openai', base_url: `${at}/v1`, api_key: 'sk-canary-of-openai' },
      anthropic: { kind: 'anthropic', base_url: at, api_key: 'sk-canary-of-anthropic' },
      gemini: { kind: 'gemini', base_url: at, api_key: 'canary-of-gemini' },
      ollama: { kind: 'openai', base_url: `${at}/ollama/v1`, options: { server: 'ollama' } },
    }),
    models: [
      ...Object.entries(aliases).map(([provider, name], index) => ({
        id: 201 + index,
        provider,
        model: name,
        model_alias: name,
        max_input_tokens: 100_000,
        max_output_tokens: 8_000,
      })),
      ...more,
    ],
  });
  const user = await world.user();
  const received: Json[] = [];
  let scripted: Parameters<Upstreams['script']>[0];
  const answer: Answer = (call) => {
    const body = JSON.parse(call.text || '{}') as Json;
    received.push(body);
    return scripted?.(call, body) ?? goodReply(call, body);
  };
  wire.script(answer);
  return {
    world,
    user,
    wire,
    received,
    script: (next) => (scripted = next),
    post: async (front, upstream, change, headers = {}) => {
      const { path, body } = fronts[front];
      const model = typeof upstream === 'string' ? aliases[upstream] : upstream.model;
      const response = await world.gateway.fetch(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${user.token}`,
          ...headers,
        },
        body: JSON.stringify({ model, ...body, ...change }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? (JSON.parse(text) as Json) : {},
        text,
      };
    },
  };
}

/** The body of a question in each interface. */
export function bodyOf(front: Front, text = 'Hi'): Json {
  return front === 'responses' ? { input: text } : { messages: [{ role: 'user', content: text }] };
}
