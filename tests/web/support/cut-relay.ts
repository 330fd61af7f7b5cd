/** A TCP relay whose connections can be cut, like those of a phone. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CutRelay extends AsyncDisposable {
  address: string;
  /** Breaks all connections, and every new one. */
  cut(): void;
  /** New connections work again. */
  mend(): void;
}

/** @param target the address of the server, e.g. `http://127.0.0.1:40123` */
export async function openCutRelay(target: string): Promise<CutRelay> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((outer) => {
    if (isCut) return void outer.destroy();
    const inner = connect(Number(new URL(target).port), '127.0.0.1');
    outer.pipe(inner).pipe(outer);
    for (const socket of [outer, inner]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        outer.destroy();
        inner.destroy();
      });
    }
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const cutAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      cutAll();
    },
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      cutAll();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}
