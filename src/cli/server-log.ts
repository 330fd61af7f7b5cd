import { atExit, exitOnUnhandled, type Config } from '../config/index.ts';
import { createLog, type Log } from '../lib/log.ts';

/** The log of a server process; its last lines are written when the process ends. @param base fields of every line */
export function openLog({ logLevel }: Config, base?: object): Log {
  const log = createLog(logLevel, undefined, base);
  atExit(() => log.flush());
  return log;
}

/** An unhandled error ends the process, and the log says so. */
export function endOnUnhandled(log: Log): void {
  exitOnUnhandled((err) => log.fatal({ err }, 'ended by an error that nothing handled'));
}
