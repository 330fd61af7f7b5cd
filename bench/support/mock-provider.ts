/**
 * A provider that costs next to nothing, as a process of its own: an OpenAI-compatible chat completion with
 * usage for every POST, the number of completions given so far for a GET. Usage: mock-provider.ts [PORT]
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

/** Refuses what did not arrive whole, so that no gateway is fast by leaving something out. */
function answerTo(head: string, body: Buffer): Buffer {
  if (head.startsWith('GET ')) return response('200 OK', String(completions));
  if (body[0] !== 0x7b || body.at(-1) !== 0x7d || !body.includes('"messages"')) return refusal;
  completions++;
  return answer;
}

const server = Bun.listen<MessageReader>({
  hostname: '127.0.0.1',
  port: Number(process.argv[2] ?? 0),
  socket: {
    open(socket) {
      socket.data = new MessageReader((head, body) => void socket.write(answerTo(head, body)));
    },
    data(socket, bytes) {
      socket.data.push(bytes);
    },
  },
});
console.log(`listening on http://127.0.0.1:${server.port}`);
