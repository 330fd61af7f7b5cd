import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../lib/errors.ts';
import { workerFile } from '../../../lib/compiled.ts';
import { Channel, type FromWorker, type ToWorker } from './channel.ts';

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

/** The threads of one import, started when first needed. */
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
