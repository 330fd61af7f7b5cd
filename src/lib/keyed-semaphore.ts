import { Semaphore } from './semaphore.ts';

/** A semaphore for each name, kept while a task runs or waits under it. */
export class KeyedSemaphore {
  readonly #permits: number;
  readonly #queueMax: number;
  readonly #entries = new Map<string, { semaphore: Semaphore; users: number }>();

  /** Both limits apply to each name. */
  constructor(permits: number, queueMax: number) {
    this.#permits = permits;
    this.#queueMax = queueMax;
  }

  /** Runs the task in its turn among those of the name. @throws the error of `refuse` when too many wait */
  async run<T>(name: string, task: () => Promise<T>, refuse: () => Error): Promise<T> {
    const entry = this.#entries.get(name) ?? {
      semaphore: new Semaphore(this.#permits, this.#queueMax),
      users: 0,
    };
    this.#entries.set(name, entry);
    entry.users++;
    try {
      return await entry.semaphore.run(task, refuse);
    } finally {
      if (--entry.users === 0) this.#entries.delete(name);
    }
  }
}
