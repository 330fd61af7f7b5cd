/**
 * A test double of other people's servers: it speaks OpenAI's dialect on a local port and does what a
 * test scripts, well or badly. Nothing of it is part of the product.
 *
 *   await using provider = await ScriptedProvider.start();
 *   await provider.script('429');                              // every call from now on
 *   await provider.script((call, index) => index === 0 ? '503' : 'good');
 *   await provider.script({ text: 'Hi', usage: { prompt_tokens: 1, completion_tokens: 9e6 } });
 *   await provider.script('hold'); … await provider.held(1); … provider.release();
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  answerWithFault,
  breakOff,
  isFault,
  sendGood,
  sendJson,
  type CallFault,
  type Fault,
  type GoodAnswer,
} from './scripted-faults.ts';
import { goodAnswer, tinyPng, type AnswerScript } from './scripted-answers.ts';

export { faults, type CallFault, type Fault } from './scripted-faults.ts';
export { tinyPng, type AnswerScript } from './scripted-answers.ts';

export interface RecordedCall {
  method: string;
  /** e.g. `/v1/chat/completions` */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The parsed JSON body; `{}` when there was none. */
  body: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  time: number;
  /** Settles when the answer was sent whole (`answered`) or the connection was lost (`dropped`). */
  ended: Promise<'answered' | 'dropped'>;
}

/** How to answer a call. `hold` sends a good answer, but only after `release()`. */
export type Reply = 'good' | 'hold' | CallFault | AnswerScript;
export type ReplyFunction = (call: RecordedCall, index: number) => Reply | Promise<Reply>;

interface HeldCall {
  resume: () => void;
  cut: () => void;
}

interface Waiter {
  reached: () => boolean;
  resolve: () => void;
}

export class ScriptedProvider {
  readonly calls: RecordedCall[] = [];
  #server: Server;
  #port = 0;
  #reply: (call: RecordedCall) => Reply | Promise<Reply> = () => 'good';
  #held: HeldCall[] = [];
  #waiters: Waiter[] = [];

  private constructor() {
    this.#server = this.#newServer();
  }

  static async start(): Promise<ScriptedProvider> {
    const provider = new ScriptedProvider();
    await provider.#listen();
    return provider;
  }

  /** For the configuration of a provider, e.g. `http://127.0.0.1:40123/v1`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** Sets the answer to all calls from now on; the index counts the calls since then. */
  async script(reply: Reply | Fault | ReplyFunction): Promise<void> {
    if (reply === 'refused') return this.#close();
    let index = 0;
    this.#reply = typeof reply === 'function' ? (call) => reply(call, index++) : () => reply;
    if (!this.#server.listening) await this.#listen();
  }

  /** Sends every held call its good answer. */
  release(): void {
    for (const { resume } of this.#held.splice(0)) resume();
  }

  /** Closes the connection of every held call, and of each stream that pauses after its first event. */
  cut(): void {
    for (const { cut } of this.#held.splice(0)) cut();
  }

  /** Resolves once this many calls are held. */
  held(count: number): Promise<void> {
    return this.#until(() => this.#held.length >= count);
  }

  /** Resolves once this many calls have been received in all. */
  received(count: number): Promise<void> {
    return this.#until(() => this.calls.length >= count);
  }

  async close(): Promise<void> {
    await this.#close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  #newServer(): Server {
    return createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        // A mistake in a script must show in the test, and not look like a fault of the provider.
        sendJson(response, 501, { error: { message: `script failed: ${String(error)}` } });
      });
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await record(request, response);
    if (call.method === 'GET' && call.path === '/v1/image.png') return sendPng(response);
    if (call.method === 'GET') return sendJson(response, 200, { object: 'list', data: [] });
    this.calls.push(call);
    this.#notify();
    await this.#answer(response, call, await this.#reply(call));
  }

  async #answer(response: ServerResponse, call: RecordedCall, reply: Reply): Promise<void> {
    if (typeof reply === 'string' && isFault(reply)) {
      return answerWithFault(response, reply, goodAnswer(call));
    }
    if (reply === 'hold') await this.#hold(response);
    const script: AnswerScript = typeof reply === 'object' ? reply : {};
    if (script.status !== undefined && script.status !== 200) {
      return sendJson(response, script.status, script.body ?? {}, script.headers);
    }
    if (script.body) return sendJson(response, 200, script.body, script.headers);
    if (script.pauseAfterFirst && call.body['stream'] === true) {
      return this.#sendPaused(response, goodAnswer(call, script), script.usageFirst ? 2 : 1);
    }
    const good = goodAnswer(call, script);
    if (script.breakAfter) return breakOff(response, good, script.breakAfter);
    sendGood(response, good);
  }

  /** This many events, each after a `release()`, and then the rest. */
  async #sendPaused(response: ServerResponse, good: GoodAnswer, single: number): Promise<void> {
    if (!('events' in good)) throw new Error('only a stream can pause');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = good.events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
    for (const event of events.splice(0, single)) {
      response.write(event);
      await this.#hold(response);
    }
    response.end(`${events.join('')}data: [DONE]\n\n`);
  }

  #hold(response: ServerResponse): Promise<void> {
    const held = new Promise<void>((resume) => {
      this.#held.push({ resume, cut: () => response.socket?.destroy() });
    });
    this.#notify();
    return held;
  }

  #until(reached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ reached, resolve });
      this.#notify();
    });
  }

  #notify(): void {
    this.#waiters = this.#waiters.filter((waiter) => {
      if (!waiter.reached()) return true;
      waiter.resolve();
      return false;
    });
  }

  async #listen(): Promise<void> {
    this.#server = this.#newServer();
    const server = this.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  async #close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function record(request: IncomingMessage, response: ServerResponse): Promise<RecordedCall> {
  const ended = new Promise<'answered' | 'dropped'>((resolve) => {
    response.on('close', () => resolve(response.writableFinished ? 'answered' : 'dropped'));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = await bodyOf(Buffer.concat(chunks), request.headers['content-type'] ?? '');
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body,
    time: Date.now(),
    ended,
  };
}

/** A file of a form, as its name, type and text. */
async function bodyOf(bytes: Buffer, type: string): Promise<Record<string, unknown>> {
  if (!type.startsWith('multipart/form-data')) {
    return bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Record<string, unknown>);
  }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const entries = [...new Set(form.keys())].map(async (name) => {
    const values = form
      .getAll(name)
      .map(async (value) =>
        typeof value === 'string' ? value : [value.name, value.type, await value.text()].join(' '),
      );
    const all = await Promise.all(values);
    return [name, name.endsWith('[]') ? all : all[0]] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function sendPng(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png' });
  response.end(tinyPng);
}
