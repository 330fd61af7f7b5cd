/** Concurrent clients that send one message after the other until they are stopped. */
import { entry, send, type ClientEntry } from './client-log.ts';

export interface LoadOptions {
  /** Returns the address of the next send. */
  url: () => string;
  token: string;
  roomId: string;
  clients: number;
  running: () => boolean;
  log: ClientEntry[];
  /** The beginning of every message, so that no two loads share one. */
  name: string;
  random: () => number;
  /** The share of streams, and of sends under an idempotency key; a quarter and a half by default. */
  streams?: number;
  keyed?: number;
  /** Called after a send without an answer; a short wait by default. */
  afterFailure?: () => Promise<unknown>;
}

/** A client whose node is away does not repeat without a pause. */
const FAILURE_PAUSE_MS = 20;

/** The share of sends that continue when their clients leave. */
const DETACHED = 0.25;

/** Resolves once every client's last send has ended. Each send is a line of the log. */
export async function runLoad(options: LoadOptions): Promise<void> {
  const { url, token, clients, running, log } = options;
  const pause = options.afterFailure ?? (() => Bun.sleep(FAILURE_PAUSE_MS));
  const client = async (number: number) => {
    for (let index = 0; running(); index++) {
      const line = lineOf(options, `${options.name}, client ${number}, message ${index}`);
      log.push(line);
      const seen = await send(url(), token, line);
      if (seen.how !== 'answered') await pause();
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
}

/**
 * Begins a load.
 * @returns a function that stops it, and resolves once every client's last send has ended
 */
export function startLoad(options: Omit<LoadOptions, 'running'>): () => Promise<void> {
  let running = true;
  const clients = runLoad({ ...options, running: () => running });
  return () => {
    running = false;
    return clients;
  };
}

function lineOf(options: LoadOptions, message: string): ClientEntry {
  const { roomId, random, streams = 0.25, keyed = 0.5 } = options;
  const stream = random() < streams;
  const key = random() < keyed ? message : undefined;
  return entry({ message, roomId, stream, key, detached: random() < DETACHED });
}
