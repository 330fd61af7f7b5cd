/** Bytes that are not HTTP, or almost: `fetch` would never send them. */
import { connect } from 'node:net';
import { between, pick, randomFrom } from '../support/random.ts';
import { damaged } from './values.ts';

/** Half a request gets no answer: the client leaves after this time. */
const PATIENCE_MS = 100;

const bodies = ['{}', '{"room_id":null}', 'x'.repeat(2_000)];
const heads = [
  ['POST /ai/room/ HTTP/1.1', 'content-length: 2', 'transfer-encoding: chunked'],
  ['POST /ai/room/ HTTP/1.1', 'content-length: 2', 'content-length: 20'],
  ['POST /ai/room/ HTTP/1.1', 'content-length: -1'],
  ['POST /ai/room/ HTTP/1.1', 'content-length: 99999999999999999999'],
  ['POST /ai/room/ HTTP/1.1', 'transfer-encoding: chunked', 'x: \r\n folded'],
  ['POST /ai/room/ HTTP/1.1', 'transfer-encoding: gzip, chunked'],
  ['POST /auth/login/ HTTP/1.1', 'expect: 100-continue', 'content-length: 2'],
  ['GET /healthz HTTP/1.0'],
  ['GET http://example.com/healthz HTTP/1.1'],
  ['GET /healthz HTTP/1.1', 'host: a', 'host: b'],
  ['GET /healthz HTTP/1.1', `x: ${'y'.repeat(20_000)}`],
  ['GET /healthz HTTP/1.1', ...Array.from({ length: 300 }, (_, i) => `x-${i}: y`)],
  [`GET /${'a'.repeat(20_000)} HTTP/1.1`],
  ['GET /trast.php?url=\xff\xfe&tp=3&h=0 HTTP/1.1'],
  ['GET /%zz/%u0041/%c0%af HTTP/1.1'],
  ['CONNECT example.com:80 HTTP/1.1'],
  ['TRACE /ai/send/ HTTP/1.1'],
  ['OPTIONS * HTTP/1.1'],
  ['PRI * HTTP/2.0', '', 'SM'],
  ['GET /healthz HTTP/1.1', 'upgrade: websocket', 'connection: upgrade'],
  ['GET /healthz HTTP/1.1', 'connection: keep-alive', 'cookie: zastava_session=\xff\x01'],
];

export function rawRequest(seed: number, index: number): Uint8Array {
  const random = randomFrom(seed * 104_729 + index);
  for (let tries = 0; tries < 3; tries++) random();
  if (random() < 0.1)
    return Buffer.from(Array.from({ length: 200 }, () => between(0, 256, random)));
  const lines = [...pick(heads, random)];
  if (!lines.some((line) => line.startsWith('host:'))) lines.push('host: zastava');
  lines.push('content-type: application/json', 'connection: close');
  const end = random() < 0.9 ? '\r\n\r\n' : pick(['\n\n', '\r\n', '\r\r', ''], random);
  const chunked = random() < 0.5 ? '2\r\n{}\r\n0\r\n\r\n' : 'zz\r\n{}\r\n';
  const body = random() < 0.5 ? pick(bodies, random) : chunked;
  const bytes = Buffer.from(lines.join('\r\n') + end + body, 'latin1');
  return random() < 0.4 ? damaged(bytes, random) : bytes;
}

/** Sends the bytes and reads until the server closes, or has been silent for long. */
export function exchange(port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (data) => (text += data.toString('latin1')));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}
