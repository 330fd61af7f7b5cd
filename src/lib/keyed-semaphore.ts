import { Semaphore } from './semaphore.ts';

/** A semaphore for each name, which exists while a task runs or waits under the name. */
export class KeyedSemaphore {
  readonly #permits: number;
  readonly #queueMax: number;
  readonly #entries = new Map<string, { semaphore: Semaphore; users: number }>();

  /** Both limits apply to each name. */
  constructor(permits: number, queueMax: number) {
    this.#permits = permits;
    this.#queueMax = queueMax;
  }

  /** Runs the task in its turn among those with the same name. @throws the error of `refuse` if too many wait */
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
