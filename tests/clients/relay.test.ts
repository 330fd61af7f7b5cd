/** Long streams: relayed piece by piece, and no faster than the client reads. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { expectBooksHold, openWorld, type Chatter, type World } from '../support/world.ts';
import { question } from './client.ts';
import { anthropicMessages } from './kinds/anthropic.ts';
import { openAiChat } from './kinds/openai-chat.ts';
import { openAiResponses } from './kinds/openai-responses.ts';

/** One token each, and within the cap of every client. */
const DELTAS = 5_000;
const MIB = 1024 * 1024;
/** One delta of the torrent. */
const DELTA_BYTES = 64 * 1024;
/** All of it: less than the 32 MiB that an answer may have, and far more than may be buffered on the way. */
const TORRENT_DELTAS = 500;
/** What the buffers of two sockets and of the runtime's `fetch` may hold: up to 20 MiB were seen. */
const PILED_UP_MAX = 25 * MIB;
const TURNS_STILL = 200;

let world: World;
let torrent: Torrent;
beforeAll(async () => {
  torrent = new Torrent();
  world = await openWorld('sqlite', {
    providers: () => ({ torrent: { kind: 'openai', base_url: torrent.baseUrl } }),
    models: [
      { id: 101, model_alias: 'mini' },
      {
        id: 102,
        provider: 'torrent',
        model: 'torrent',
        max_output_tokens: 10_000_000,
        cost_output_tokens_rub: 1,
      },
    ],
  });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await torrent.stop();
});

/** A provider that sends the next piece only when the connection accepts it, and counts the pieces. */
class Torrent {
  sent = 0;
  readonly #server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      const stream = new ReadableStream<Uint8Array>({ pull: (to) => this.#next(to) });
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    },
  });

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#server.port}/v1`;
  }

  stop(): Promise<void> {
    return this.#server.stop(true);
  }

  #next(to: ReadableStreamDefaultController<Uint8Array>): void {
    const event = (data: object) => to.enqueue(Buffer.from(`data: ${JSON.stringify(data)}\n\n`));
    if (this.sent < TORRENT_DELTAS) {
      this.sent++;
      return event({ choices: [{ index: 0, delta: { content: 'x'.repeat(DELTA_BYTES) } }] });
    }
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
    to.close();
  }
}

describe('a long stream', () => {
  for (const { name, make } of [openAiChat, openAiResponses, anthropicMessages]) {
    test(`of ${DELTAS} deltas is relayed one by one to ${name}`, async () => {
      const alice = await world.user();
      const deltas = Array.from({ length: DELTAS }, (_, i) => `${i % 10}`);
      const usage = { prompt_tokens: 1, completion_tokens: 9, total_tokens: 10 };
      await world.provider.script({ deltas, usage, pauseAfterFirst: true });
      const dial = { origin: world.gateway.listen(), key: await keyOf(alice) };
      const stream = make(dial).stream(question('Count'));
      // The second has not left the provider yet.
      expect((await stream.next()).value).toBe('0');
      world.provider.release();
      const rest: string[] = [];
      let last = await stream.next();
      for (; !last.done; last = await stream.next()) rest.push(last.value);
      await world.provider.script('good');
      expect(rest).toEqual(deltas.slice(1));
      expect(last.value).toMatchObject({ promptTokens: 1, completionTokens: 9 });
      expect(await alice.charges()).toHaveLength(1);
      await expectBooksHold(world.gateway);
    });
  }

  test('waits for a client that does not read, instead of buffering without limit', async () => {
    const alice = await world.user();
    const socket = await unread(world.gateway.listen(), alice.token, {
      model: 'torrent/torrent',
      stream: true,
      messages: [{ role: 'user', content: 'Pour' }],
    });
    await torrentStops();
    expect(torrent.sent * DELTA_BYTES).toBeLessThan(PILED_UP_MAX);
    let received = 0;
    const end = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (bytes) => (received += bytes.length));
    socket.resume();
    await end;
    expect(torrent.sent).toBe(TORRENT_DELTAS);
    expect(received).toBeGreaterThan(TORRENT_DELTAS * DELTA_BYTES);
    expect(await alice.charges()).toHaveLength(1);
  });
});

/** A client that requests a completion and reads nothing of the answer. */
async function unread(origin: string, token: string, body: object): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const text = JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.pause();
  socket.write(
    [
      'POST /v1/chat/completions HTTP/1.1',
      `host: ${hostname}`,
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(text)}`,
      'connection: close',
      '',
      text,
    ].join('\r\n'),
  );
  return socket;
}

/** Resolves when the torrent has begun and then paused over many turns of the event loop. */
async function torrentStops(): Promise<void> {
  for (let still = 0, before = 0; before === 0 || still < TURNS_STILL; still++) {
    await new Promise((next) => setTimeout(next));
    if (torrent.sent !== before) still = 0;
    before = torrent.sent;
  }
}

async function keyOf({ token }: Chatter): Promise<string> {
  const body = { name: 'client' };
  return (await world.gateway.data<{ key: string }>('/account/keys/', body, { token })).key;
}
