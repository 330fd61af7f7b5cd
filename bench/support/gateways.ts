import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMock, type Mock } from './mock.ts';
import { startNginx } from './nginx.ts';
import { startPortkey } from './portkey.ts';
import { startZastava, type Zastava } from './zastava.ts';
import type { Target } from './target.ts';

/** The mock, what is measured, and what it is compared with; all of it ends with `stop`. */
export interface Gateways {
  mock: Mock;
  zastava: Zastava;
  nginx: Target | undefined;
  portkey: Target | undefined;
  /** What is missing and why, a sentence each. */
  absent: string[];
  /** Zastava's own, still there after `stopZastava`. */
  directory: string;
  stopZastava: () => Promise<void>;
}

/** Runs `work` with every gateway up, and leaves neither processes nor files behind. */
export async function withGateways<T>(
  options: { rooms: number; compared: boolean },
  work: (gateways: Gateways) => Promise<T>,
): Promise<T> {
  await using place = await temporaryDirectory();
  const directory = join(place.path, 'zastava');
  await mkdir(directory);
  const mock = await startMock();
  const zastava = await startZastava({ mockUrl: mock.url, directory }, options.rooms);
  const stops = [mock.stop, zastava.stop];
  const absent: string[] = [];
  let nginx: Target | undefined;
  let portkey: Target | undefined;
  if (options.compared) {
    const proxy = await startNginx({ mockUrl: mock.url, directory: place.path });
    if (proxy) stops.push(proxy.stop);
    else absent.push('nginx is not installed here, so it is not in the table');
    nginx = proxy?.target;
    const peer = await startPortkey({ mockUrl: mock.url, directory: place.path });
    if (typeof peer === 'string') absent.push(`Portkey is not in the table: ${peer}`);
    else stops.push(peer.stop);
    portkey = typeof peer === 'string' ? undefined : peer.target;
  }
  try {
    const stopZastava = zastava.stop;
    return await work({ mock, zastava, nginx, portkey, absent, directory, stopZastava });
  } finally {
    await Promise.all(stops.map((stop) => stop()));
  }
}

export async function temporaryDirectory(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'zastava-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
