import { Stopper, type StopSignal } from '../../lib/stop-signal.ts';

/** The sends that this process is working on. It waits for them when it stops, and recovery leaves them alone. */
export class InFlight {
  readonly #sends = new Map<string, Stopper>();
  #idle: (() => void)[] = [];

  get size(): number {
    return this.#sends.size;
  }

  has(userId: number, messageId: number): boolean {
    return this.#sends.has(`${userId} ${messageId}`);
  }

  start(userId: number, messageId: number): StopSignal {
    const stopper = new Stopper();
    this.#sends.set(`${userId} ${messageId}`, stopper);
    return stopper;
  }

  end(userId: number, messageId: number): void {
    this.#sends.delete(`${userId} ${messageId}`);
    if (this.#sends.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Stops every provider call; each send then voids its hold and ends with an error. */
  abortAll(): void {
    for (const stopper of this.#sends.values()) stopper.abort();
  }

  idle(): Promise<void> {
    if (this.#sends.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }
}
