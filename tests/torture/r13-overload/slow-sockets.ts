/** Thousands of connections that send almost nothing: the cheapest attack on a server. */
import type { Socket } from 'bun';

const OPEN_AT_ONCE = 200;
/** In each tick, one connection in this many sends a byte: each connection sends one every ten seconds. */
const DRIP_SHARE = 100;
const DRIP_EVERY_MS = 100;
/** Half a head; a head with a body that never arrives; nothing at all. */
const beginnings = [
  'POST /ai/send/ HTTP/1.1\r\nhost: zastava\r\nx-slow: ',
  'POST /auth/login/ HTTP/1.1\r\nhost: zastava\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"login":"',
  '',
];

export interface SlowSockets {
  opened: number;
  /** Still open on our side. */
  open: () => number;
  close(): void;
}

export async function openSlowSockets(port: number, count: number): Promise<SlowSockets> {
  const sockets = new Set<Socket>();
  let opened = 0;
  const forget = (socket: Socket) => void sockets.delete(socket);
  const openOne = async (index: number) => {
    try {
      const socket = await Bun.connect({
        hostname: '127.0.0.1',
        port,
        socket: { data() {}, close: forget, error: forget },
      });
      opened++;
      sockets.add(socket);
      socket.write(beginnings[index % beginnings.length] ?? '');
    } catch {
      // The machine allows no more open files, which `opened` shows.
    }
  };
  for (let first = 0; first < count; first += OPEN_AT_ONCE) {
    const some = Math.min(OPEN_AT_ONCE, count - first);
    await Promise.all(Array.from({ length: some }, (_, index) => openOne(first + index)));
  }
  let turn = 0;
  const timer = setInterval(() => {
    let index = turn++;
    for (const socket of sockets) if (index++ % DRIP_SHARE === 0) socket.write('x');
  }, DRIP_EVERY_MS);
  return {
    opened,
    open: () => sockets.size,
    close() {
      clearInterval(timer);
      for (const socket of sockets) socket.terminate();
    },
  };
}
