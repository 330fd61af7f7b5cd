/** Sites that attack their reader, by name, on ports of this machine. */
import { createServer, type Server, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { between, pick } from '../support/random.ts';

type Random = () => number;
/** Writes an answer, or none. */
type Behaviour = (socket: Socket, random: Random) => void;

const MIB = 1024 * 1024;
const zeros = Buffer.alloc(64 * MIB);
const bombs = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros.subarray(0, 8 * MIB)) };
const links = Array.from({ length: 300_000 }, (_, index) => `<a href=//x${index}.ru>`).join('');

function head(headers: Record<string, string>, status = '200 OK'): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

function page(socket: Socket, html: string | Buffer, headers: Record<string, string> = {}): void {
  socket.write(head({ 'content-type': 'text/html', connection: 'close', ...headers }));
  socket.end(html);
}

/** Continues until the reader leaves, at its pace. */
function endless(socket: Socket, start: string, more: Buffer): void {
  socket.write(start);
  const pour = () => {
    while (!socket.destroyed && socket.write(more));
    if (!socket.destroyed) socket.once('drain', pour);
  };
  pour();
}

function drip(socket: Socket, text: string): void {
  socket.write(head({ 'content-type': 'text/html' }));
  const timer = setInterval(() => socket.write(text), 50);
  socket.on('close', () => clearInterval(timer));
}

const html = { 'content-type': 'text/html' };
const charsets = ['utf-7', 'utf-16', 'windows-1251', 'x-user-defined', '../../etc', '%00', ''];

export const behaviours: Record<string, Behaviour> = {
  'a gzip bomb': (socket) => page(socket, bombs.gzip, { 'content-encoding': 'gzip' }),
  'a brotli bomb': (socket) => page(socket, bombs.br, { 'content-encoding': 'br' }),
  'no gzip at all': (socket) => page(socket, 'plain', { 'content-encoding': 'gzip' }),
  'an endless page': (socket) => endless(socket, head(html), Buffer.alloc(65_536, '<p>x ')),
  'an endless head': (socket) =>
    endless(socket, 'HTTP/1.1 200 OK\r\n', Buffer.alloc(65_536, 'x: y\r\n')),
  'a slow page': (socket) => drip(socket, '<p>'),
  'a slow head': (socket) => {
    const timer = setInterval(() => socket.write('H'), 50);
    socket.on('close', () => clearInterval(timer));
  },
  nothing: () => undefined,
  'a closed door': (socket) => void socket.destroy(),
  'half a page': (socket) => page(socket, '<title>half', { 'content-length': '100000' }),
  'many links': (socket) => page(socket, `<title>links</title>${links}`),
  'deep nesting': (socket) => page(socket, `<title>deep</title>${'<div><b>'.repeat(200_000)}`),
  'a title like a record': (socket) =>
    page(socket, '<title>a|b\r\n10.0|c\u2028d\u202ee&#124;f</title>'),
  'a title without an end': (socket) => page(socket, `<title>${'long '.repeat(MIB)}`),
  'a wrong charset': (socket, random) => {
    const charset = pick(charsets, random);
    page(socket, `<meta charset="${charset}"><title>Заголовок</title>`, {
      'content-type': `text/html; charset=${charset}`,
    });
  },
  noise: (socket) => page(socket, Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)))),
  'redirects without end': (socket, random) => {
    const location = `/${between(0, 1e9, random)}`;
    socket.end(head({ location, connection: 'close', 'content-length': '0' }, '302 Found'));
  },
  'a redirect inside': (socket) => {
    const location = 'http://169.254.169.254/latest/meta-data/';
    socket.end(head({ location, connection: 'close', 'content-length': '0' }, '302 Found'));
  },
  'many cookies': (socket) => {
    const cookies = Array.from(
      { length: 2_000 },
      (_, i) => `set-cookie: c${i}=${'v'.repeat(50)}\r\n`,
    );
    socket.end(`HTTP/1.1 200 OK\r\n${cookies.join('')}\r\n<title>cookies</title>`);
  },
  'no HTTP': (socket) => void socket.end('220 mail.example.com ESMTP\r\n'),
};

export interface HostileWeb extends AsyncDisposable {
  /** Where the page fetcher finds the hosts, for `ZASTAVA_FETCH_RESOLVE`. */
  resolve: string;
  hosts: { host: string; kind: string }[];
}

/** Each host behaves in one way, on all paths except robots.txt. */
export async function openHostileWeb(count: number, random: Random): Promise<HostileWeb> {
  const kinds = Object.keys(behaviours);
  const servers = new Map<string, { server: Server; port: number }>();
  const open = new Set<Socket>();
  for (const kind of kinds) {
    const server = createServer((socket) => {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => open.delete(socket));
      socket.once('data', (data) => answer(socket, data.toString('latin1'), kind, random));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.set(kind, { server, port: (server.address() as { port: number }).port });
  }
  const hosts = Array.from({ length: count }, (_, index) => {
    return { host: `site${index}.ru`, kind: kinds[index % kinds.length] ?? '' };
  });
  return {
    hosts,
    resolve: hosts
      .map(({ host, kind }) => `${host}:80=127.0.0.1:${servers.get(kind)?.port}`)
      .join(','),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      for (const { server } of servers.values()) server.close();
      await Promise.resolve();
    },
  };
}

function answer(socket: Socket, request: string, kind: string, random: Random): void {
  if (!request.startsWith('GET /robots.txt')) return behaviours[kind]?.(socket, random);
  socket.end(head({ 'content-length': '0', connection: 'close' }, '404 Not Found'));
}
