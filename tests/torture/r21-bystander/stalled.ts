/** Uploads that stop before their end, and unread streams: held open until they are closed. */
import type { Socket } from 'bun';

const DECLARED_BYTES = 1024 * 1024;
const SENT_BYTES = 512 * 1024;

/** @returns how to close them */
export async function holdOpen(
  url: string,
  token: string,
  { uploads, streams, body }: { uploads: number; streams: number; body: unknown },
): Promise<() => void> {
  const { hostname, port } = new URL(url);
  const head = (path: string, length: number) =>
    [
      `POST ${path} HTTP/1.1`,
      `host: ${hostname}`,
      'content-type: application/json',
      `authorization: Bearer ${token}`,
      `content-length: ${length}`,
      '\r\n',
    ].join('\r\n');
  const upload = head('/ai/send/', DECLARED_BYTES) + ' '.repeat(SENT_BYTES);
  const json = JSON.stringify(body);
  const stream = head('/ai/send/', Buffer.byteLength(json)) + json;
  const sockets: Socket[] = [];
  const open = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    let sent = 0;
    const write = (socket: Socket): void => {
      sent += socket.write(bytes.subarray(sent));
    };
    sockets.push(
      await Bun.connect({
        hostname,
        port: Number(port),
        socket: { open: write, drain: write, data: (socket) => socket.pause(), error() {} },
      }),
    );
  };
  for (let at = 0; at < uploads; at++) await open(upload);
  for (let at = 0; at < streams; at++) await open(stream);
  return () => {
    for (const socket of sockets) socket.terminate();
  };
}
