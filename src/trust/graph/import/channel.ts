import { Worker, type MessagePort } from 'node:worker_threads';
import { workerFile } from '../../../lib/compiled.ts';
import { DomainError } from '../../../lib/errors.ts';
import type { Direction } from '../release/row-files.ts';
import type { IdFacts } from './id-map.ts';
import type { ImportLimits } from './limits.ts';
import type { BadLineReport, LineSource } from './line-parser.ts';

/** Parses the text that follows into a file of pairs. */
export interface EdgesJob {
  source: LineSource;
  ids: IdFacts;
  /** Holds the pieces of text to parse. */
  text: SharedArrayBuffer;
  pairs: string;
  bucketShift: number;
  blockBytes: number;
}

export interface EdgesResult {
  lines: number;
  selfLoops: number;
  skipped: number;
  bad: BadLineReport;
  /** The number of pairs written, including repeated ones. */
  pairs: number;
}

/** Makes rows of the buckets that follow. */
export interface RowsJob {
  direction: Direction;
  directory: string;
  nodes: number;
  pairs: readonly string[];
  /** File for the reversed edges, from which the rows of the other direction are made. */
  transposed: string | undefined;
  bucketShift: number;
  limits: ImportLimits;
}

export type ToWorker =
  | { type: 'edges'; job: EdgesJob }
  /** A piece of the job's `text`, unchanged until `parsed` comes back. */
  | { type: 'text'; start: number; bytes: number }
  | { type: 'rows'; job: RowsJob }
  | { type: 'bucket'; bucket: number }
  | { type: 'place'; start: number }
  | { type: 'checksum'; path: string }
  | { type: 'end' };

export type FromWorker =
  | { type: 'parsed'; lines: number }
  | { type: 'edges'; result: EdgesResult }
  /** Sorted rows that wait for their position, which comes after the rows of all smaller nodes. */
  | { type: 'piece'; edges: number; last: boolean }
  | { type: 'rows' }
  | { type: 'checksum'; sha256: string }
  /** With `refused`, the input is the cause; otherwise the program or the machine is. */
  | { type: 'failed'; message: string; refused: boolean };

/** One end of a message channel; received messages are queued in order. */
export class Channel<Sent, Received> {
  readonly #port: MessagePort | Worker;
  readonly #queue: Received[] = [];
  #waiting: PromiseWithResolvers<Received> | undefined;
  #failure: Error | undefined;

  constructor(port: MessagePort | Worker) {
    this.#port = port;
    port.on('message', (message: Received) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting) waiting.resolve(message);
      else this.#queue.push(message);
    });
  }

  send(message: Sent): void {
    this.#port.postMessage(message, []);
  }

  async receive(): Promise<Received> {
    if (this.#queue.length > 0) return this.#queue.shift() as Received;
    if (this.#failure) throw this.#failure;
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** `receive` throws this error from now on, once the queue is empty. */
  fail(error: Error): void {
    this.#failure = error;
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

/** The main thread's channel to one worker. */
export class WorkerChannel extends Channel<ToWorker, FromWorker> {
  constructor(worker: Worker) {
    super(worker);
    worker.on('error', (error: Error) => this.fail(error));
    worker.on('exit', () => this.fail(new Error('a worker of the import ended')));
  }

  /** The next message, which must be of this type. @throws the failure of the worker */
  async expect<Type extends Exclude<FromWorker['type'], 'failed'>>(
    type: Type,
  ): Promise<Extract<FromWorker, { type: Type }>> {
    const message = await this.receive();
    if (message.type === 'failed') {
      throw message.refused
        ? new DomainError('invalid_request', message.message)
        : new Error(message.message);
    }
    if (message.type !== type) throw new Error(`a worker sent ${message.type}, not ${type}`);
    return message as Extract<FromWorker, { type: Type }>;
  }
}

/** The threads of one import, started when they are first needed. */
export class ImportWorkers {
  readonly #workers: Worker[] = [];
  readonly #channels: WorkerChannel[] = [];

  /** The channels to `count` workers; each does one job at a time. */
  channels(count: number): WorkerChannel[] {
    while (this.#channels.length < count) {
      const worker = new Worker(workerFile('trust/graph/import/worker'));
      this.#workers.push(worker);
      this.#channels.push(new WorkerChannel(worker));
    }
    return this.#channels.slice(0, count);
  }

  /** Terminates the threads at once. */
  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
