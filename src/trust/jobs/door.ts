import { chmod, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DomainError, messageOf, type ErrorCode } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { TrustJobBook } from './trust-jobs.ts';
import { trustJobView, type TrustJobView } from './view.ts';

/** Bytes of a question. */
const ASK_MAX = 256;

/** What a command asks a server: the list of jobs, or to stop one. */
interface Ask {
  stop?: string | undefined;
}

type Answer = { jobs: TrustJobView[] } | { error: { code: ErrorCode; message: string } };

const doorOf = (dataDir: string): string => join(dataDir, 'jobs.sock');

/**
 * Lets commands list and stop the jobs of this server: a socket in the data directory, since jobs live in the server's
 * memory. A command sends a line of JSON and gets one.
 * @returns closes it
 */
export async function openJobDoor(
  dataDir: string,
  jobs: TrustJobBook,
  log: Log,
): Promise<() => Promise<void>> {
  const path = doorOf(dataDir);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    void answer(socket, jobs);
  });
  try {
    // A server that was killed leaves it behind.
    if (!(await isAnswered(path))) await rm(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    await chmod(path, 0o600);
  } catch (error) {
    // Some file systems have no sockets, and a path may be too long for one.
    log.warn({ path, reason: messageOf(error) }, 'commands can not list or stop trust jobs');
    return () => Promise.resolve();
  }
  return async () => {
    server.close();
    open.forEach((socket) => socket.destroy());
    await rm(path, { force: true });
  };
}

async function answer(socket: Socket, jobs: TrustJobBook): Promise<void> {
  socket.end(`${JSON.stringify(await answerTo(socket, jobs))}\n`);
}

async function answerTo(socket: Socket, jobs: TrustJobBook): Promise<Answer> {
  try {
    const { stop } = JSON.parse(await question(socket)) as Ask;
    const found = stop === undefined ? await jobs.list() : [await jobs.stop(stop)];
    return { jobs: found.map(trustJobView) };
  } catch (error) {
    const code = error instanceof DomainError ? error.code : 'internal_error';
    return { error: { code, message: messageOf(error) } };
  }
}

/** The first line of a connection; what is longer is no question. */
function question(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = '';
    socket.on('data', (piece) => {
      line += String(piece);
      if (line.length > ASK_MAX || line.endsWith('\n')) resolve(line);
    });
    socket.on('close', () => reject(new Error('it closed')));
  });
}

/**
 * Asks the server of a data directory.
 * @returns its jobs, newest first, or the one that it has stopped
 * @throws `not_found` when no server runs there, or it has no such job
 */
export async function askJobs(dataDir: string, ask: Ask): Promise<TrustJobView[]> {
  const socket = createConnection({ path: doorOf(dataDir) });
  let told: string;
  try {
    socket.write(`${JSON.stringify(ask)}\n`);
    told = await text(socket);
  } catch {
    throw noServer(dataDir);
  }
  if (told === '') throw noServer(dataDir);
  const found = JSON.parse(told) as Answer;
  if ('error' in found) throw new DomainError(found.error.code, found.error.message);
  return found.jobs;
}

function noServer(dataDir: string): DomainError {
  const message = `no server runs with the data directory ${dataDir}, so it has no jobs`;
  return new DomainError('not_found', message);
}

function isAnswered(path: string): Promise<boolean> {
  const socket = createConnection({ path });
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).then((found) => {
    socket.destroy();
    return found as boolean;
  });
}
