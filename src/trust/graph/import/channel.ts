import type { MessagePort, Worker } from 'node:worker_threads';
import type { BadLineReport } from './bad-lines.ts';
import type { IdFacts } from './id-map.ts';
import type { Direction } from '../release/row-files.ts';

/** Parse text that follows into a file of pairs. */
export interface EdgesJob {
  label: string;
  badLinesMax: number;
  ids: IdFacts;
  /** Where text lies that is to be parsed. */
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
  /** Pairs kept, with repeated ones. */
  pairs: number;
}

/** Make rows of the buckets that follow. */
export interface RowsJob {
  direction: Direction;
  directory: string;
  nodes: number;
  pairs: readonly string[];
  /** Where the same edges go, turned round, for the rows of the other direction. */
  transposed: string | undefined;
  bucketShift: number;
  blockBytes: number;
  pieceEdges: number;
}

export type ToWorker =
  | { type: 'edges'; job: EdgesJob }
  /** Bytes of the job's `text`, not written again before they are told to be parsed. */
  | { type: 'text'; start: number; bytes: number }
  | { type: 'rows'; job: RowsJob }
  | { type: 'bucket'; bucket: number }
  | { type: 'place'; start: number }
  | { type: 'checksum'; path: string }
  | { type: 'end' };

export type FromWorker =
  /** A chunk of text is done with. */
  | { type: 'parsed'; lines: number }
  | { type: 'edges'; result: EdgesResult }
  /** Rows are sorted and wait for their place: after those of all nodes before. */
  | { type: 'piece'; edges: number; last: boolean }
  | { type: 'rows' }
  | { type: 'checksum'; sha256: string }
  /** With `refused`, the message is for the operator; else it is a fault of ours or of the machine. */
  | { type: 'failed'; message: string; refused: boolean };

/** One end of a worker's line: messages come in order, and wait until they are asked for. */
export class Channel<Sent, Received> {
  readonly #post: (message: Sent) => void;
  readonly #queue: Received[] = [];
  #waiting: PromiseWithResolvers<Received> | undefined;
  #failure: Error | undefined;

  constructor(port: MessagePort | Worker) {
    this.#post = (message) => port.postMessage(message, []);
    port.on('message', (message: Received) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting) waiting.resolve(message);
      else this.#queue.push(message);
    });
  }

  send(message: Sent): void {
    this.#post(message);
  }

  async receive(): Promise<Received> {
    if (this.#queue.length > 0) return this.#queue.shift() as Received;
    if (this.#failure) throw this.#failure;
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  /** Whoever waits, or will, gets this error. */
  fail(error: Error): void {
    this.#failure = error;
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}
