import { effect } from '@preact/signals';
import { hasEnded } from '../app/session.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Waits until the connection may be available again. */
export class Reconnect {
  #go: (() => void) | undefined;

  /** Ends the wait. */
  now(): void {
    this.#go?.();
  }

  /**
   * Resolves when the browser is online again, the user returns to the tab, or some time has passed; without a session,
   * when the user has logged in.
   * @param attempt how often the connection broke before
   */
  async wait(attempt: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const goes = new AbortController();
    this.#go = resolve;
    const look = () => {
      if (!document.hidden && !hasEnded.value) resolve();
    };
    addEventListener('online', look, { signal: goes.signal });
    document.addEventListener('visibilitychange', look, { signal: goes.signal });
    const waitsForLogin = hasEnded.value;
    const stopWatching = effect(() => {
      if (waitsForLogin && !hasEnded.value) resolve();
    });
    const timer = setTimeout(look, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt));
    await promise;
    clearTimeout(timer);
    goes.abort();
    stopWatching();
  }
}
