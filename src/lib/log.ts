import { writeSync } from 'node:fs';
import pino from 'pino';

export type Log = pino.Logger;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const STDERR_FD = 2;
/** Attempts to write a line to a full pipe before it is dropped, and the milliseconds between them. */
const FULL_PIPE_ATTEMPTS = 20;
const FULL_PIPE_WAIT_MS = 5;
const WARN = 40;

/**
 * Writes one JSON object per line to standard error. Callers log identifiers, codes and durations only: never a prompt,
 * an answer, a password, a token or a provider's key. Logging never throws: a line that can't be written is dropped and
 * counted, since sends must not depend on a full log disk.
 * @param fd for tests
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

export const silentLog: Log = pino({ level: 'silent' });

let linesLost = 0;

/** All log lines that this process could not write. */
export function lostLogLines(): number {
  return linesLost;
}

class LineWriter {
  readonly #fd: number;
  /** Lines lost since the last one that was written. */
  #lost = 0;
  /** The last line was written in part: the next one starts on a new line. */
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
    // After a loss there are no further attempts: the fault may last.
    for (let attemptsLeft = this.#lost > 0 ? 0 : FULL_PIPE_ATTEMPTS; done < bytes.length;) {
      try {
        const written = writeSync(this.#fd, bytes, done);
        if (written === 0) break;
        done += written;
      } catch (error) {
        const isFullPipe = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        if (!isFullPipe || attemptsLeft-- === 0) break;
        Bun.sleepSync(FULL_PIPE_WAIT_MS);
      }
    }
    const isWhole = done === bytes.length;
    if (done > 0) this.#torn = !isWhole;
    return isWhole;
  }
}

function lossNotice(lost: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: WARN, time, lost, msg: 'log lines before this one could not be written' })}\n`;
}

/** Only type, message, stack and codes of an error: errors of databases hold rows, and so users' texts. */
function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return { type, message, stack, code, errno };
}
