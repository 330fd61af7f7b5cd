import { KeyedSemaphore } from '../lib/keyed-semaphore.ts';
import { networkOf } from './network.ts';

/**
 * Concurrent password checks of one network. A check holds an attempt while it runs, so this must be low enough that
 * right passwords alone never use up the attempts of a login, even on two nodes. It is more than the hashes that run
 * concurrently, so that waiting for a turn takes no longer than waiting for a hash.
 */
const CONCURRENT_MAX = 4;
/** Checks of one network that wait for their turn: about two seconds of hashes. */
const WAITING_MAX = 100;

/**
 * Makes the password checks of one network take turns. Each check takes an attempt before it is known whether the
 * password is right, so without turns, people who log in at the same time could use up each other's attempts.
 */
export class LoginTurns {
  readonly #networks = new KeyedSemaphore(CONCURRENT_MAX, WAITING_MAX);

  /** Runs the check in its turn. If too many wait, it runs immediately, and the throttle decides. */
  async run<T>(address: string, check: () => Promise<T>): Promise<T> {
    const tooMany = new Error('too many password checks wait');
    try {
      return await this.#networks.run(networkOf(address), check, () => tooMany);
    } catch (error) {
      if (error !== tooMany) throw error;
      return check();
    }
  }
}
