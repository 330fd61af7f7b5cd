import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AllPeers } from '../peers/all.ts';
import { startMock, type Mock } from './mock.ts';
import { startNginx } from './nginx.ts';
import { startPortkey } from './portkey.ts';
import { startZastava, type Zastava } from './zastava.ts';
import type { Target } from './target.ts';

/** The mock, the measured gateways, and those that they are compared with; `stop` ends all of them. */
export interface Gateways {
  mock: Mock;
  zastava: Zastava;
  nginx: Target | undefined;
  portkey: Target | undefined;
  /** All compared targets, the mock first and Zastava last. */
  targets: Target[];
  /** The targets that a different mock answers. */
  elsewhere: ReadonlySet<Target>;
  /** What is missing and why, one sentence each. */
  absent: string[];
  /** Zastava's data directory, which still exists after `stopZastava`. */
  directory: string;
  stopZastava: () => Promise<void>;
}

/** Runs `work` with every gateway running, and leaves neither processes nor files behind. */
export async function withGateways<T>(
  options: { rooms: number; compared: boolean; peers?: AllPeers | undefined },
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
  const { peers } = options;
  absent.push(...(peers?.absent ?? []));
  const onPostgres = peers && (await startOnPostgres(peers, place.path, mock, options.rooms));
  if (onPostgres) stops.push(onPostgres.stop);
  const elsewhere = new Set(peers?.peers.map(({ target }) => target));
  const targets = [
    mock.target,
    nginx,
    portkey,
    ...elsewhere,
    onPostgres?.manyUsers,
    zastava.target,
  ].filter((target) => target !== undefined);
  try {
    const stopZastava = zastava.stop;
    return await work({
      mock,
      zastava,
      nginx,
      portkey,
      targets,
      elsewhere,
      absent,
      directory,
      stopZastava,
    });
  } finally {
    await Promise.all(stops.map((stop) => stop()));
  }
}

const SECRET = 'a secret of the benchmark, 32 bytes or more';
let databases = 0;

/** Zastava with the database that peers with books use. */
async function startOnPostgres(
  { database }: AllPeers,
  root: string,
  { url: mockUrl }: Mock,
  rooms: number,
): Promise<Zastava> {
  const directory = join(root, 'zastava-postgres');
  await mkdir(directory);
  const url = await database.create(`zastava_${++databases}`);
  const env = { ZASTAVA_DATABASE_URL: url, ZASTAVA_SECRET: SECRET };
  const zastava = await startZastava({ mockUrl, directory, env }, rooms);
  const name = 'Zastava, PostgreSQL';
  const { target, manyUsers } = zastava;
  const { streams = [] } = target;
  return { ...zastava, manyUsers: { ...manyUsers, streams, name, databasePid: database.pid } };
}

export async function temporaryDirectory(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'zastava-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
