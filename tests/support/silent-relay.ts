/** A TCP relay that can fall silent: connections stay open and new ones are accepted, but no bytes pass. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SilentRelay extends AsyncDisposable {
  port: number;
  /** No bytes pass from now on, on existing or new connections. */
  silence(): void;
  /** Resolves when this many more connections have been opened. */
  opened(count: number): Promise<void>;
  /** New connections work again; earlier ones stay silent. */
  serveNewOnes(): void;
}

export async function openSilentRelay(port: number): Promise<SilentRelay> {
  const open = new Set<Socket>();
  let isSilent = false;
  const waiting: { left: number; resolve: () => void }[] = [];
  const server = createServer((outer) => {
    const inner = connect(port, '127.0.0.1');
    for (const one of waiting) if (--one.left === 0) one.resolve();
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      open.add(one);
      one.on('data', (data) => void other.write(data));
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      if (isSilent) one.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true;
      for (const socket of open) socket.pause();
    },
    opened: (left) => new Promise((resolve) => waiting.push({ left, resolve })),
    serveNewOnes() {
      isSilent = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
