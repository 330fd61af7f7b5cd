import type { Clock } from './clock.ts';
import { UnavailableError } from './errors.ts';
import type { Log } from './log.ts';
import { Outage } from './outage.ts';

export interface ChoreParts {
  clock: Clock;
  log: Log;
}

/**
 * Makes periodic work that never throws: the log gets one line when it begins to fail, and one when it works again. An
 * outage of the database does not count as a failure, since `DatabaseHealth` logs it.
 * @param name completes the sentence `NAME fails`
 */
export function chore(
  name: string,
  { clock, log }: ChoreParts,
  work: () => Promise<unknown>,
): () => Promise<void> {
  const outage = new Outage(clock);
  return async () => {
    try {
      await work();
      const seconds = outage.end();
      if (seconds !== undefined) log.warn({ task: name, seconds }, 'a periodic task works again');
    } catch (err) {
      if (err instanceof UnavailableError || !outage.begin()) return;
      log.error({ task: name, err }, 'a periodic task fails; it is repeated');
    }
  };
}
