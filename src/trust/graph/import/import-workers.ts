import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../lib/errors.ts';
import { workerFile } from '../../../lib/compiled.ts';
import { Channel, type FromWorker, type ToWorker } from './channel.ts';

/** The main thread's end of one worker. */
export class WorkerLine {
  readonly #channel: Channel<ToWorker, FromWorker>;

  constructor(worker: Worker) {
    this.#channel = new Channel(worker);
    worker.on('error', (error: Error) => this.#channel.fail(error));
    worker.on('exit', () => this.#channel.fail(new Error('a worker of the import ended')));
  }

  send(message: ToWorker): void {
    this.#channel.send(message);
  }

  /** The next message, which must be of this type. @throws what failed in the worker */
  async receive<Type extends Exclude<FromWorker['type'], 'failed'>>(
    type: Type,
  ): Promise<Extract<FromWorker, { type: Type }>> {
    const message = await this.#channel.receive();
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
  readonly #lines: WorkerLine[] = [];

  /** So many of them; each does one job at a time. */
  lines(count: number): WorkerLine[] {
    while (this.#lines.length < count) {
      const worker = new Worker(workerFile('trust/graph/import/worker'));
      this.#workers.push(worker);
      this.#lines.push(new WorkerLine(worker));
    }
    return this.#lines.slice(0, count);
  }

  /** Ends them, whatever they do. */
  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
