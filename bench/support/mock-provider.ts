/**
 * A provider that takes almost no time, as a separate process: an OpenAI-compatible chat completion with usage for
 * every POST (a stream of it where the request asks for one), the number of completions given so far for a GET. GET
 * /delay/MS makes it wait before each answer, and before each further write of a stream. Usage: mock-provider.ts [PORT]
 */
import { MessageReader } from './http-messages.ts';

const completion = JSON.stringify({
  id: 'chatcmpl-mock',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'mock-model',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content:
          'The town gate was the place where travellers were checked and paid the toll before they were let in.',
      },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 24, completion_tokens: 21, total_tokens: 45 },
});

function response(status: string, body: string): Buffer {
  return Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

const answer = response('200 OK', completion);
const refusal = response('400 Bad Request', '{"error":{"message":"not a chat completion"}}');
let completions = 0;
let delayMs = 0;

/** The contents of a stream: deltas of a few characters, as models send them, in writes of a few deltas. */
const DELTAS = 20;
const DELTAS_A_WRITE = 5;

function chunk(delta: object, finish: string | null, usage?: object): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const about = { id: 'chatcmpl-mock', object: 'chat.completion.chunk', created: 1_700_000_000 };
  const data = `data: ${JSON.stringify({ ...about, model: 'mock-model', choices, ...(usage && { usage }) })}\n\n`;
  return `${data.length.toString(16)}\r\n${data}\r\n`;
}

const streamHead =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
const laterDeltas = Array.from({ length: DELTAS - 1 }, () => chunk({ content: 'the toll ' }, null));
const streamTail =
  chunk({}, 'stop', { prompt_tokens: 24, completion_tokens: 21, total_tokens: 45 }) +
  'e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n';
const laterWrites: Buffer[] = [];
for (let at = 0; at < laterDeltas.length; at += DELTAS_A_WRITE) {
  const end = at + DELTAS_A_WRITE;
  const isLast = end >= laterDeltas.length;
  laterWrites.push(Buffer.from(laterDeltas.slice(at, end).join('') + (isLast ? streamTail : '')));
}

function later(work: () => void): void {
  if (delayMs > 0) setTimeout(work, delayMs);
  else setImmediate(work);
}

/** The first delta contains the time at which it was sent, by the clock that all processes of the machine share. */
function writeStream(socket: { write: (bytes: Buffer) => number }): void {
  completions++;
  const stamp = chunk(
    { role: 'assistant', content: `@${performance.timeOrigin + performance.now()}@` },
    null,
  );
  socket.write(Buffer.from(streamHead + stamp));
  let next = 0;
  const writeNext = (): void => {
    const bytes = laterWrites[next++];
    if (bytes === undefined) return;
    socket.write(bytes);
    later(writeNext);
  };
  later(writeNext);
}

/** Refuses incomplete requests, so that no gateway is fast because it leaves something out. */
function answerTo(head: string, body: Buffer): Buffer {
  if (head.startsWith('GET ')) {
    delayMs = Number(/^GET \/delay\/(\d+) /.exec(head)?.[1] ?? delayMs);
    return response('200 OK', String(completions));
  }
  if (body[0] !== 0x7b || body.at(-1) !== 0x7d || !body.includes('"messages"')) return refusal;
  completions++;
  return answer;
}

const server = Bun.listen<MessageReader>({
  hostname: '127.0.0.1',
  port: Number(process.argv[2] ?? 0),
  socket: {
    open(socket) {
      socket.data = new MessageReader((head, body) => {
        if (body.includes('"stream":true') || body.includes('"stream": true')) {
          return writeStream(socket);
        }
        const bytes = answerTo(head, body);
        if (delayMs > 0) setTimeout(() => socket.write(bytes), delayMs);
        else socket.write(bytes);
      });
    },
    data(socket, bytes) {
      socket.data.push(bytes);
    },
  },
});
console.log(`listening on http://127.0.0.1:${server.port}`);
