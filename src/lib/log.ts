import { writeSync } from 'node:fs';
import pino from 'pino';

export type Log = pino.Logger;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const STDERR_FD = 2;
/** How often, and how many milliseconds apart, a line is tried on a full pipe before it is dropped. */
const FULL_PIPE_TRIES = 20;
const FULL_PIPE_WAIT_MS = 5;
/** Pino's number for `warn`. */
const WARN = 40;

/**
 * One JSON object a line, on standard error. Callers log identifiers, codes and durations only:
 * never a prompt, an answer, a password, a token or a provider's key. Logging never throws: a line that
 * can't be written is dropped and counted, since no money may hang on a full log disk.
 * @param fd where to, for tests
 */
export function createLog(level: LogLevel, fd = STDERR_FD): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorFacts },
    },
    new LineWriter(fd),
  );
}

/** A log that writes nothing, for tests and scripts. */
export const silentLog: Log = pino({ level: 'silent' });

let linesLost = 0;

/** Log lines that this process could not write, ever. */
export function lostLogLines(): number {
  return linesLost;
}

/** Writes lines to a file descriptor, and drops what can't be written. */
class LineWriter {
  readonly #fd: number;
  /** Since the last line that could be written. */
  #lost = 0;
  /** The last line was written in part: the next one begins on a line of its own. */
  #torn = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    if (this.#lost > 0 && this.#put(lossNotice(this.#lost))) this.#lost = 0;
    if (this.#lost === 0 && this.#put(line)) return;
    this.#lost++;
    linesLost++;
  }

  /** @returns whether all of it was written */
  #put(line: string): boolean {
    const bytes = Buffer.from(this.#torn ? `\n${line}` : line);
    let done = 0;
    // After a loss nobody waits: whatever is wrong may be wrong for long.
    for (let triesLeft = this.#lost > 0 ? 0 : FULL_PIPE_TRIES; done < bytes.length;) {
      try {
        const written = writeSync(this.#fd, bytes, done);
        if (written === 0) break;
        done += written;
      } catch (error) {
        const isFullPipe = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        if (!isFullPipe || triesLeft-- === 0) break;
        Bun.sleepSync(FULL_PIPE_WAIT_MS);
      }
    }
    const isWhole = done === bytes.length;
    // What was torn stays so until something was written after it.
    if (done > 0) this.#torn = !isWhole;
    return isWhole;
  }
}

function lossNotice(lost: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: WARN, time, lost, msg: 'log lines before this one could not be written' })}\n`;
}

/**
 * Type, message, stack and codes of an error, and nothing else: errors of databases carry rows, which are users' texts.
 */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return { type, message, stack, code, errno };
}
