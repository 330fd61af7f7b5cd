import { KeyedSemaphore } from '../lib/keyed-semaphore.ts';
import { networkOf } from './network.ts';

/**
 * Password checks of one place on the network that run at once. Few enough that right passwords alone never use
 * up the tries of a login, which a check holds while it runs, not on two nodes either; more than the hashes that
 * run at once, so that waiting for a turn takes no longer than waiting for a hash.
 */
const AT_ONCE = 4;
/** Checks of one place that wait for their turn: about two seconds of hashes. */
const WAITING_MAX = 100;

/**
 * Lets the password checks of one place take turns. Each takes a try before anybody knows whether it is a guess:
 * without turns, people who log in at once with the right password would be refused for each other's tries.
 */
export class LoginTurns {
  readonly #places = new KeyedSemaphore(AT_ONCE, WAITING_MAX);

  /** Runs the check in its turn. Where too many wait it runs at once, and the tries that are left decide. */
  async run<T>(address: string, check: () => Promise<T>): Promise<T> {
    const tooMany = new Error('too many password checks wait');
    try {
      return await this.#places.run(networkOf(address), check, () => tooMany);
    } catch (error) {
      if (error !== tooMany) throw error;
      return check();
    }
  }
}
