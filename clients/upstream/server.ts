import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import type { Dialect, Json } from './dialect.ts';
import { embeddingsFor } from './embeddings.ts';
import { gemini } from './gemini.ts';
import { replyTo } from './model.ts';
import { openAi } from './openai.ts';
import { type Reply, textIn, type Turn } from './turn.ts';

/** A pause between two pieces of a slow answer, in milliseconds. */
const PAUSE_MS = 100;
/** So many events of a stream arrive before it breaks. */
const EVENTS_BEFORE_CUT = 6;

/** The providers behind the gateway: their APIs on a port of this machine, played by a script. */
export class Upstream {
  /** Every request since the start. */
  readonly turns: Turn[] = [];
  /** How many streams the gateway has left. */
  left = 0;
  /** The models that signed a tool call in a stream, and so reasoned without showing it. */
  readonly signers = new Set<string>();
  #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      this.#answer(request.url ?? '', body, response).catch((error: unknown) => {
        response.statusCode = 501;
        response.end(`the script failed: ${String(error)}`);
      });
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(url: string, text: string, response: ServerResponse): Promise<void> {
    const dialect = dialectOf(url);
    if (text === '') return sendJson(response, { object: 'list', data: [] });
    const body = JSON.parse(text) as Json;
    const vectors = embeddingsFor(url, body);
    if (vectors) return sendJson(response, vectors);
    const turn = dialect.read(body, url);
    this.turns.push(turn);
    const reply = replyTo(turn);
    const model = textIn(body['model'] ?? /models\/([^:]+)/.exec(url)?.[1]);
    if (turn.streamed && reply.call && dialect === gemini) this.signers.add(model);
    if (turn.streamed) return this.#stream(response, dialect.events(reply, model), reply);
    sendJson(response, dialect.whole(reply, model));
  }

  async #stream(response: ServerResponse, events: string[], { slow, cut }: Reply): Promise<void> {
    let isLeft = false;
    response.on('close', () => {
      isLeft = !response.writableEnded;
      if (isLeft && !cut) this.left++;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [index, event] of events.entries()) {
      if (isLeft) return;
      if (cut && index === EVENTS_BEFORE_CUT) {
        response.destroy();
        return;
      }
      response.write(event);
      if (slow || cut) await Bun.sleep(PAUSE_MS);
    }
    response.end();
  }
}

function dialectOf(url: string): Dialect {
  if (url.startsWith('/anthropic/')) return anthropic;
  return url.startsWith('/gemini/') ? gemini : openAi;
}

function sendJson(response: ServerResponse, value: Json): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
