import { Roster, type Member } from '../../lib/roster.ts';
import { Stopper } from '../../lib/stop-signal.ts';

interface Send {
  userId: number;
  messageId: number;
  stopper: Stopper;
}

/** A send that this process is working on. */
export type RunningSend = Member<Send>;

/** The sends that this process is working on. It waits for them when it stops, and recovery leaves them alone. */
export class InFlight {
  readonly #sends = new Roster<Send>();
  #idle: (() => void)[] = [];

  get size(): number {
    return this.#sends.size;
  }

  /** Registers a send. Its stopper ends the provider call. */
  start(userId: number, messageId: number): RunningSend {
    return this.#sends.add({ userId, messageId, stopper: new Stopper() });
  }

  end(send: RunningSend): void {
    this.#sends.remove(send);
    if (this.#sends.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** The names of the messages that are being answered. */
  names(): Set<string> {
    return new Set(this.#sends.values().map(nameOf));
  }

  /** Stops every provider call; each send then voids its hold and ends with an error. */
  abortAll(): void {
    for (const { stopper } of this.#sends.values()) stopper.abort();
  }

  idle(): Promise<void> {
    if (this.#sends.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }
}

/** Message ids are unique within their user. */
export function nameOf({ userId, messageId }: { userId: number; messageId: number }): string {
  return `${userId} ${messageId}`;
}
