import { chmod, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DomainError, messageOf, type ErrorCode } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { TrustJobBook } from './trust-jobs.ts';
import { trustJobView, type TrustJobView } from './view.ts';

/** Characters of a request. */
const REQUEST_MAX = 256;

/** The request of a command: list the jobs, or stop one. */
interface JobRequest {
  stop?: string | undefined;
}

type Answer = { jobs: TrustJobView[] } | { error: { code: ErrorCode; message: string } };

const socketPath = (dataDir: string): string => join(dataDir, 'jobs.sock');

/**
 * Lets commands list and stop the jobs of this server: a socket in the data directory, since the jobs are only in the
 * server's memory. A command sends a line of JSON and gets one.
 * @returns closes it
 */
export async function openJobSocket(
  dataDir: string,
  jobs: TrustJobBook,
  log: Log,
): Promise<() => Promise<void>> {
  const path = socketPath(dataDir);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    void answer(socket, jobs);
  });
  try {
    // A server that was killed leaves its socket behind.
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
    const { stop } = JSON.parse(await requestLine(socket)) as JobRequest;
    const found = stop === undefined ? await jobs.list() : [await jobs.stop(stop)];
    return { jobs: found.map(trustJobView) };
  } catch (error) {
    const code = error instanceof DomainError ? error.code : 'internal_error';
    return { error: { code, message: messageOf(error) } };
  }
}

/** The first line of a connection, cut if it is longer than a request. */
function requestLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = '';
    socket.on('data', (piece) => {
      line += String(piece);
      if (line.length > REQUEST_MAX || line.endsWith('\n')) resolve(line);
    });
    socket.on('close', () => reject(new Error('it closed')));
  });
}

/**
 * Asks the server of a data directory.
 * @returns its jobs, newest first, or the one that it has stopped
 * @throws `not_found` if no server runs there, or if it has no such job
 */
export async function askJobs(dataDir: string, request: JobRequest): Promise<TrustJobView[]> {
  const socket = createConnection({ path: socketPath(dataDir) });
  let line: string;
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    line = await text(socket);
  } catch {
    throw noServer(dataDir);
  }
  if (line === '') throw noServer(dataDir);
  const found = JSON.parse(line) as Answer;
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
