import { atExit, exitOnUnhandled, type Config } from '../config/index.ts';
import { createLog, type Log } from '../lib/log.ts';

/** The log of a server process, whose last lines are written at its end. @param base fields of every line */
export function openLog({ logLevel }: Config, base?: object): Log {
  const log = createLog(logLevel, undefined, base);
  atExit(() => log.flush());
  return log;
}

/** An error that nothing handles ends the process, and the log says so. */
export function endOnUnhandled(log: Log): void {
  exitOnUnhandled((err) => log.fatal({ err }, 'ended by an error that nothing handled'));
}
