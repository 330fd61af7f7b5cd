import type { Environment } from '../config/index.ts';
import type { Announced, FromParent, FromWorker, Reply } from './messages.ts';

export interface WorkerCommand {
  program: readonly string[];
  /** Words after `serve`. */
  options: readonly string[];
  env: Environment;
}

/** One process of a worker, from its start to its end. */
export class WorkerProcess {
  /** Resolves when it serves; rejects when it ends before. */
  readonly serving: Promise<Announced>;
  /** How it ended: an exit code, or the name of a signal. */
  readonly ended: Promise<number | string>;
  isServing = false;
  readonly #child: Bun.Subprocess;
  readonly #waiting = new Map<number, (reply: Reply) => void>();

  /** @param onAsk called with each question that this worker has for others */
  constructor(
    { program, options, env }: WorkerCommand,
    onAsk: (ask: FromWorker & { kind: 'ask' }) => void,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<Announced>();
    this.serving = promise;
    promise.catch(() => undefined);
    this.#child = Bun.spawn([...program, 'serve', ...options], {
      env: { ...env },
      stdin: 'ignore',
      stdout: 'inherit',
      // All write to one log, each in whole lines.
      stderr: 'inherit',
      ipc: (message) => {
        const from = message as FromWorker;
        if (from.kind === 'ask') return onAsk(from);
        if (from.kind === 'reply') return this.#take(from);
        this.isServing = true;
        resolve(from.announced);
      },
    });
    this.ended = this.#child.exited.then(() => {
      this.isServing = false;
      const how = this.#child.signalCode ?? this.#child.exitCode ?? 1;
      reject(new WorkerEnded(how));
      return how;
    });
  }

  get pid(): number {
    return this.#child.pid;
  }

  send(message: FromParent): void {
    try {
      this.#child.send(message);
    } catch {
      // The process has ended; `ended` resolves then.
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** @returns undefined if it does not answer in time */
  ask(id: number, what: string, about: unknown, waitMs: number): Promise<Reply | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        resolve(undefined);
      }, waitMs);
      this.#waiting.set(id, (reply) => {
        clearTimeout(timer);
        resolve(reply);
      });
      this.send({ kind: 'ask', id, what, about });
    });
  }

  #take({ id, reply }: { id: number; reply: Reply }): void {
    this.#waiting.get(id)?.(reply);
    this.#waiting.delete(id);
  }
}

/** A worker ended before it served. It has printed the reason. */
export class WorkerEnded extends Error {
  readonly how: number | string;

  constructor(how: number | string) {
    super(`a worker ended before it served (${typeof how === 'number' ? `exit ${how}` : how})`);
    this.how = how;
  }
}
