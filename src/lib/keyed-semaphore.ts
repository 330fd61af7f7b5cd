import { Semaphore } from './semaphore.ts';

/** A semaphore for each name, which lasts while somebody runs or waits under it. */
export class KeyedSemaphore {
  readonly #permits: number;
  readonly #queueMax: number;
  readonly #entries = new Map<string, { semaphore: Semaphore; users: number }>();

  /** @param permits and @param queueMax of each name */
  constructor(permits: number, queueMax: number) {
    this.#permits = permits;
    this.#queueMax = queueMax;
  }

  /** Runs the task in its turn among those of this name. Where too many wait it throws what `refuse` makes. */
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
