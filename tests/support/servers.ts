/** Servers on loopback, and their certificate. */
import type { Server } from 'node:net';
import { join } from 'node:path';

const fixtures = join(import.meta.dir, '../fixtures/tls');
/** The certificate and key of `secure.example`. */
export const certificate = await Bun.file(join(fixtures, 'certificate.pem')).text();
export const key = await Bun.file(join(fixtures, 'key.pem')).text();

/** @returns the port */
export async function listenOn(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
