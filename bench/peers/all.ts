import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startDatabaseServer, type DatabaseServer } from '../support/database-server.ts';
import { temporaryDirectory } from '../support/gateways.ts';
import { startMock, type Mock } from '../support/mock.ts';
import { startAnyLlm } from './any-llm.ts';
import { startLitellm, withoutPostgres } from './litellm.ts';
import type { Peer } from './peer.ts';

/** Gateways that take long to start: started once for all measures of a run. They have a separate mock. */
export interface AllPeers extends AsyncDisposable {
  peers: Peer[];
  mock: Mock;
  database: DatabaseServer;
  /** What is missing and why, one sentence each. */
  absent: string[];
}

/** Named because people compare Zastava with them. */
const notPackaged = [
  withoutPostgres,
  'Bifrost is not in the table: its npm package downloads the program from elsewhere, and its Go module is not served',
  'new-api and one-api are not in the table: the Go module proxy does not serve them',
  'Open WebUI is not in the table: it is an application with a proxy for its own users',
];

export async function startPeers(progress: (line: string) => void): Promise<AllPeers> {
  await using stack = new AsyncDisposableStack();
  const place = stack.use(await temporaryDirectory());
  const database = stack.use(await startDatabaseServer());
  const mock = await startMock();
  stack.defer(() => mock.stop());
  const peers: Peer[] = [];
  const absent = [...notPackaged];
  const add = async (name: string, launch: (directory: string) => Promise<Peer | string>) => {
    progress(`starts ${name}`);
    const directory = join(place.path, name);
    await mkdir(directory);
    const started = await launch(directory);
    if (typeof started === 'string')
      return void absent.push(`${name} is not in the table: ${started}`);
    stack.defer(() => started.stop());
    peers.push(started);
  };
  await add('LiteLLM', (directory) => startLitellm(mock.url, directory));
  const url = await database.create('any_llm');
  await add('any-llm-gateway', (directory) =>
    startAnyLlm(mock.url, directory, { url, pid: database.pid }),
  );
  const kept = stack.move();
  return { peers, mock, database, absent, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
